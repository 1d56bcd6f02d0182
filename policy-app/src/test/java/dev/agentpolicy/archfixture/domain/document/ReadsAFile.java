package dev.agentpolicy.archfixture.domain.document;

import java.io.File;

/** Breaks a rule on purpose: the domain reads no files. */
final class ReadsAFile {
    private final File file = new File("policy.json");
}
