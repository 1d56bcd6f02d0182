package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.SentProposal.Kind;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Holdings that one caller replaces: the last that were acknowledged, or some that were sent after them. */
final class SavingsAfterwards implements Afterwards {
    private Optional<String> cash = Optional.empty();

    @Override
    public void hold(Queue queue, Collection<SentProposal> asked) {
        Set<Optional<String>> possible = new HashSet<>(Set.of(cash));
        asked.stream().filter(call -> call.kind() == Kind.HOLD).forEach(call -> {
            if (call.isAcknowledged()) {
                possible.clear();
            }
            possible.add(Optional.of(Sent.cash(call.number())));
        });
        cash = queue.cash(Sent.SAVINGS);
        assertThat(cash).isIn(possible);
    }

    @Override
    public void close(Queue queue) {
        assertThat(queue.cash(Sent.SAVINGS)).isEqualTo(cash);
    }
}
