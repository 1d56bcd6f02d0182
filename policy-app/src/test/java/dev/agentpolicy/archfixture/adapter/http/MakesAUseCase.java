package dev.agentpolicy.archfixture.adapter.http;

import dev.agentpolicy.archfixture.domain.usecase.UseCase;
import java.util.function.Supplier;

/** Breaks a rule on purpose: use cases are handed in. */
final class MakesAUseCase {
    Supplier<UseCase> made() {
        return UseCase::new;
    }
}
