package dev.agentpolicy.archfixture.adapter.files;

import dev.agentpolicy.archfixture.domain.usecase.UseCase;

/** Breaks a rule on purpose: a package that all adapters use depends on the domain. */
public final class FilesAskAround {
    private final Class<?> other = UseCase.class;
}
