package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.NumberedCall.Kind;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Holdings that one caller replaces: the last acknowledged ones are kept, or some that were sent later. */
final class HoldingsRecoveryCheck implements RecoveryCheck {
    private Optional<String> cash = Optional.empty();

    @Override
    public void hold(ProposalClient queue, Collection<NumberedCall> asked) {
        Set<Optional<String>> possible = new HashSet<>(Set.of(cash));
        asked.stream().filter(call -> call.kind() == Kind.HOLD).forEach(call -> {
            if (call.isAcknowledged()) {
                possible.clear();
            }
            possible.add(Optional.of(NumberedBodies.cash(call.number())));
        });
        cash = queue.cash(NumberedBodies.SAVINGS);
        assertThat(cash).isIn(possible);
    }

    @Override
    public void close(ProposalClient queue) {
        assertThat(queue.cash(NumberedBodies.SAVINGS)).isEqualTo(cash);
    }
}
