package dev.agentpolicy.archfixture.domain.quantity;

import java.math.BigDecimal;

/** Breaks a rule on purpose: a binary fraction on the way between two exact numbers. */
final class PassesADouble {
    BigDecimal rounded(BigDecimal exact) {
        return BigDecimal.valueOf(exact.doubleValue());
    }
}
