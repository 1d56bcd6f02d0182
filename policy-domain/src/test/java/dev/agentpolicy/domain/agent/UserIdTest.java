package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.Seeded;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UserIdTest {

    @Test
    void users_are_ordered_as_their_texts_are() {
        Seeded.times(2_000, random -> {
            UUID one = new UUID(random.nextLong(), random.nextLong());
            UUID sameBegin = new UUID(one.getMostSignificantBits(), random.nextLong());
            UUID other = new UUID(random.nextLong(), one.getLeastSignificantBits());

            assertThat(order(one, sameBegin)).isEqualTo(orderOfTexts(one, sameBegin));
            assertThat(order(one, other)).isEqualTo(orderOfTexts(one, other));
            assertThat(order(one, one)).isZero();
        });
    }

    private static int order(UUID one, UUID other) {
        return Integer.signum(new UserId(one).compareTo(new UserId(other)));
    }

    private static int orderOfTexts(UUID one, UUID other) {
        return Integer.signum(one.toString().compareTo(other.toString()));
    }
}
