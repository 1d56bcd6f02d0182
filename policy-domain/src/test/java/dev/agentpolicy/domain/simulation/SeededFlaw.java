package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Rewriting.recording;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Needs;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.request.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Services that are wrong on purpose, each with the promise it breaks. */
enum SeededFlaw implements Flaw {
    FORGETS_INTENTIONS(Promise.ONE_INTENTION_IS_ONE_REQUEST) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> Rewriting.withReplays(outcome, List.of()));
        }
    },
    FORGETS_WHAT_WAS_USED(Promise.TALLIES_ARE_EXACT) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> Rewriting.withTallies(outcome, Map.of()));
        }
    },
    FORGETS_CALLS(Promise.TALLIES_ARE_EXACT) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, Rewriting::withoutCalls);
        }
    },
    FORGETS_THE_DECISIONS_OF_THE_DAY(Promise.LIMITS_OF_AGENTS_HOLD) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return Rewriting.seeing(change, Sights::withoutDecisions);
        }
    },
    LEAVES_THE_REQUESTS_OF_REVOKED_KEYS(Promise.REVOKED_KEYS_WAIT_FOR_NOTHING) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return change.needs().pendingOf() == null ? change : Rewriting.seeing(change, Sights::withoutRequests);
        }
    },
    LIFTS_THE_CAPS(Promise.CAPS_HOLD) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return Rewriting.seeing(change, Sights::withoutCaps);
        }
    },
    REOPENS_WHAT_IS_RESOLVED(Promise.RESOLVED_STAYS_RESOLVED) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return Rewriting.seeing(change, Sights::reopened);
        }
    },
    LOGS_A_BLOCK_FOR_A_REQUEST(Promise.A_REQUEST_COMES_OF_AN_ALLOWED_DECISION) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> Rewriting.withEvents(
                            outcome,
                            outcome.events().stream().map(Sights::blocked).toList()));
        }
    },
    ANSWERS_WITHOUT_RECORDING(Promise.WHAT_WAS_TOLD_IS_IN_THE_CHAIN) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> outcome.tallies().isEmpty() || outcome.events().isEmpty()
                            ? outcome
                            : Outcome.nothing(outcome.answer().apply(Sights.receipts(outcome))));
        }
    },
    ANSWERS_BEFORE_THE_COMMIT(Promise.WHAT_WAS_TOLD_IS_IN_THE_CHAIN) {
        @Override
        public boolean answersBeforeCommit() {
            return true;
        }
    },
    LINKS_TO_ANOTHER_ROW(Promise.THE_CHAIN_IS_LINKED) {
        @Override
        public List<PolicyEvent> in(List<PolicyEvent> rows) {
            List<PolicyEvent> swapped = new ArrayList<>(rows);
            Collections.reverse(swapped);
            return swapped;
        }
    },
    ORDERS_UNDER_A_NEW_NAME_EVERY_TIME(Promise.ACCEPTED_TRADES_EXECUTE_ONCE) {
        private int sent;

        @Override
        public Order in(Order it) {
            return Sights.named(it, it.clientOrderId() + "-" + ++sent);
        }
    },
    ORDERS_BEFORE_THE_YES_IS_RECORDED(Promise.ONLY_ACCEPTED_TRADES_EXECUTE) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> Rewriting.withRequests(
                            outcome,
                            outcome.requests().stream()
                                    .filter(it -> !Sights.isAccepted(it))
                                    .toList()));
        }
    },
    CHECKS_EVERY_YES_ALONE(Promise.ACCEPTANCES_FIT_TOGETHER) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return new Alone<>(change);
        }
    },
    NEVER_LOOKS_AT_THE_BOOKS(Promise.BOOKS_AGREE) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> {
                boolean isFirst =
                        outcome.portfolio() == null || outcome.portfolio().revision() == 1;
                return isFirst ? outcome : Rewriting.withPortfolio(outcome, null);
            });
        }
    },
    BELIEVES_WHAT_THE_CALL_SAYS_OF_AN_ASSET(Promise.ASSETS_ARE_WHAT_THEY_ARE) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return Rewriting.seeing(change, Sights::withoutUnlistedAssets);
        }
    },
    THROWS_WHERE_NOBODY_EXPECTS_IT(Promise.NOTHING_ELSE_GOES_WRONG) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> {
                if (outcome.requests().isEmpty()) {
                    return outcome;
                }
                throw new IllegalStateException("Out of order.");
            });
        }
    };

    /** A change that is not shown what is under way beside it. */
    private record Alone<R>(Change<R> change) implements Change<R> {
        @Override
        public Needs needs() {
            Needs all = change.needs();
            return new Needs(all.tally(), all.request(), all.replay(), all.pendingOf(), false, all.calls());
        }

        @Override
        public Outcome<R> apply(Account account) {
            return change.apply(account);
        }
    }

    private final Promise breaks;

    SeededFlaw(Promise breaks) {
        this.breaks = breaks;
    }

    Promise breaks() {
        return breaks;
    }
}
