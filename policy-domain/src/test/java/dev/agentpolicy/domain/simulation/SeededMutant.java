package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.MutatedChange.recording;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The mutants, each with the invariant it breaks. */
enum SeededMutant implements Mutant {
    FORGETS_IDEMPOTENCY_KEYS(Invariant.ONE_REQUEST_PER_IDEMPOTENCY_KEY) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> MutatedChange.withReplays(outcome, List.of()));
        }
    },
    FORGETS_TALLIES(Invariant.TALLIES_ARE_EXACT) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> MutatedChange.withTallies(outcome, Map.of()));
        }
    },
    FORGETS_CALLS(Invariant.TALLIES_ARE_EXACT) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, MutatedChange::withoutCalls);
        }
    },
    FORGETS_THE_DECISIONS_OF_THE_DAY(Invariant.AGENT_LIMITS_HOLD) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return MutatedChange.seeing(change, MutatedViews::withoutDecisions);
        }
    },
    LEAVES_THE_REQUESTS_OF_REVOKED_KEYS(Invariant.REVOKED_KEYS_HAVE_NO_WAITING_REQUESTS) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return change.needs().pendingOf() == null
                    ? change
                    : MutatedChange.seeing(change, MutatedViews::withoutRequests);
        }
    },
    LIFTS_THE_CAPS(Invariant.CAPS_HOLD) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return MutatedChange.seeing(change, MutatedViews::withoutCaps);
        }
    },
    FORGETS_FLOWS(Invariant.FLOWS_HOLD) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> MutatedChange.withFlows(outcome, null));
        }
    },
    BEGINS_FLOWS_ANEW_WITH_EVERY_POLICY(Invariant.FLOWS_ARE_EXACT) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> outcome.ips() == null ? outcome : MutatedChange.withFlows(outcome, FlowCounts.NONE));
        }
    },
    KEEPS_FLOWS_OF_FORMS_THAT_ARE_GONE(Invariant.FLOWS_ARE_EXACT) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change, outcome -> outcome.ips() == null ? outcome : MutatedChange.withFlows(outcome, null));
        }
    },
    DECIDES_BY_THE_FLOWS_OF_A_MOMENT_AGO(Invariant.FLOWS_HOLD) {
        private final Map<UserId, FlowCounts> seen = new HashMap<>();

        @Override
        public <R> Change<R> in(Change<R> change) {
            return MutatedChange.seeing(change, account -> {
                FlowCounts before = seen.put(account.userId(), account.flows());
                return before == null ? account : MutatedViews.withFlows(account, before);
            });
        }
    },
    REOPENS_RESOLVED_REQUESTS(Invariant.RESOLVED_REQUESTS_NEVER_CHANGE) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return MutatedChange.seeing(change, MutatedViews::reopened);
        }
    },
    RECORDS_A_BLOCK_FOR_A_REQUEST(Invariant.REQUESTS_HAVE_AN_ALLOWED_DECISION) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> MutatedChange.withEvents(
                            outcome,
                            outcome.events().stream().map(MutatedViews::blocked).toList()));
        }
    },
    RECORDS_ANOTHER_USE_OF_THE_CAPS(Invariant.CHAINS_ARE_RECOMPUTED) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> MutatedChange.withEvents(
                            outcome,
                            outcome.events().stream().map(MutatedViews::unused).toList()));
        }
    },
    ANSWERS_WITHOUT_RECORDING(Invariant.RETURNED_DECISIONS_ARE_IN_THE_CHAIN) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> outcome.tallies().isEmpty() || outcome.events().isEmpty()
                            ? outcome
                            : Outcome.nothing(outcome.answer().apply(MutatedViews.receipts(outcome))));
        }
    },
    ANSWERS_BEFORE_THE_COMMIT(Invariant.RETURNED_DECISIONS_ARE_IN_THE_CHAIN) {
        @Override
        public boolean answersBeforeCommit() {
            return true;
        }
    },
    LINKS_TO_ANOTHER_ROW(Invariant.ROWS_ARE_LINKED) {
        @Override
        public List<PolicyEvent> in(List<PolicyEvent> rows) {
            List<PolicyEvent> swapped = new ArrayList<>(rows);
            Collections.reverse(swapped);
            return swapped;
        }
    },
    PLACES_AGAIN_WITH_A_NEW_ID(Invariant.ONE_ORDER_PER_ACCEPTANCE) {
        private final Set<String> sent = new HashSet<>();

        @Override
        public Order in(Order it) {
            return sent.add(it.clientOrderId()) ? it : MutatedViews.named(it, it.clientOrderId() + "-" + sent.size());
        }
    },
    ORDERS_FOR_ANOTHER_REQUEST(Invariant.ONLY_ACCEPTED_TRADES_EXECUTE) {
        @Override
        public Order in(Order it) {
            return it.clientOrderId().startsWith("request-")
                    ? MutatedViews.named(it, it.clientOrderId().replaceFirst("request-", "request-9"))
                    : it;
        }
    },
    FORGETS_RECORDED_FILLS(Invariant.FILLS_ARE_IN_THE_CHAIN_ONCE) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(
                    change,
                    outcome -> MutatedChange.withFills(
                            outcome,
                            outcome.fills().stream()
                                    .filter(it -> it.requestId() != null)
                                    .toList()));
        }
    },
    LOSES_SOME_FILLS(Invariant.FILLS_ARE_IN_THE_CHAIN_ONCE) {
        @Override
        public CustodianReport in(CustodianReport report) {
            List<Fill> left = report.fills().stream()
                    .filter(fill -> fill.clientOrderId().startsWith("request-"))
                    .toList();
            return new CustodianReport(report.holdings(), report.orders(), left, report.isComplete());
        }
    },
    COMPLETES_BEFORE_THE_FILLS(Invariant.COMPLETED_REQUESTS_HAVE_THEIR_FILLS) {
        @Override
        public CustodianReport in(CustodianReport report) {
            List<OrderReport> orders = report.orders().stream()
                    .map(it -> it.state() instanceof OrderState.PartiallyFilled
                            ? new OrderReport(
                                    it.clientOrderId(), it.externalId(), new OrderState.Filled(), it.filledQuantity())
                            : it)
                    .toList();
            return new CustodianReport(report.holdings(), orders, report.fills(), report.isComplete());
        }
    },
    DECIDES_BY_STALE_HOLDINGS(Invariant.STALE_HOLDINGS_DECIDE_NOTHING) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return change.needs().tally() == null
                    ? change
                    : MutatedChange.seeing(change, MutatedViews::withoutConnections);
        }
    },
    RECORDS_REPORTS_FROM_BEFORE_A_CHANGE(Invariant.HOLDINGS_EQUAL_THE_BOOK) {
        private final Map<UserId, Account> begun = new HashMap<>();

        @Override
        public <R> Change<R> in(Change<R> change) {
            if (change.needs().equals(LoadSpec.accepted())) {
                return MutatedChange.seeing(change, account -> {
                    begun.put(account.userId(), account);
                    return account;
                });
            }
            return change.needs().sync() == null
                    ? change
                    : MutatedChange.seeing(
                            change,
                            account -> MutatedViews.asBefore(
                                    account,
                                    begun.get(account.userId()),
                                    change.needs().sync().custodian()));
        }
    },
    NEVER_PLACES_AGAIN(Invariant.ORDERS_UNDER_WAY_ARE_AT_THE_CUSTODIAN) {
        private final Set<String> sent = new HashSet<>();

        @Override
        public boolean loses(Order order) {
            return !sent.add(order.clientOrderId());
        }
    },
    TAKES_OPEN_ORDERS_FOR_EXPIRED(Invariant.ACCEPTED_TRADES_EXECUTE_ONCE) {
        @Override
        public CustodianReport in(CustodianReport report) {
            List<OrderReport> orders = report.orders().stream()
                    .map(it -> it.state() instanceof OrderState.Open
                            ? new OrderReport(
                                    it.clientOrderId(), it.externalId(), new OrderState.Expired(), it.filledQuantity())
                            : it)
                    .toList();
            return new CustodianReport(report.holdings(), orders, report.fills(), report.isComplete());
        }
    },
    CHECKS_EACH_ACCEPTANCE_ALONE(Invariant.UNFILLED_TRADES_KEEP_BANDS_TOGETHER) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return isAttestation(change.needs())
                    ? MutatedChange.seeing(change, MutatedViews::withoutOpenOrders)
                    : change;
        }
    },
    RECORDS_WRONG_HOLDINGS(Invariant.HOLDINGS_EQUAL_THE_BOOK) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return recording(change, outcome -> {
                boolean isFirst =
                        outcome.portfolio() == null || outcome.portfolio().revision() == 1;
                return isFirst ? outcome : MutatedChange.withPortfolio(outcome, null);
            });
        }
    },
    TRUSTS_THE_DECLARED_ASSET(Invariant.ASSETS_HAVE_ONE_IDENTITY) {
        @Override
        public <R> Change<R> in(Change<R> change) {
            return MutatedChange.seeing(change, MutatedViews::withoutUnlistedAssets);
        }
    },
    THROWS_UNEXPECTEDLY(Invariant.NO_UNEXPECTED_EXCEPTION) {
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

    private static boolean isAttestation(LoadSpec needs) {
        return needs.tally() != null && needs.request() != null;
    }

    private final Invariant breaks;

    SeededMutant(Invariant breaks) {
        this.breaks = breaks;
    }

    Invariant breaks() {
        return breaks;
    }
}
