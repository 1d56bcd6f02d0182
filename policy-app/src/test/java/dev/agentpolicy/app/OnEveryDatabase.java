package dev.agentpolicy.app;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the tests of a class on each {@link Database}, with one node for all of them. */
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@EnumSource(Database.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public @interface OnEveryDatabase {}
