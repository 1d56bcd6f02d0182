package dev.agentpolicy.architecture;

import java.util.Map;

/** The libraries that have a home, by package; with a class of each, to prove that the package is spelled right. */
final class Libraries {
    static final Map<String, String> WEB = Map.of(
            "io.javalin", "io.javalin.Javalin",
            "org.eclipse.jetty", "org.eclipse.jetty.server.Server",
            "jakarta.servlet", "jakarta.servlet.Servlet",
            "io.micrometer", "io.micrometer.core.instrument.MeterRegistry");

    static final Map<String, String> JSON = Map.of("com.fasterxml.jackson", "com.fasterxml.jackson.core.JsonParser");

    static final Map<String, String> DATABASE = Map.of(
            "org.jdbi", "org.jdbi.v3.core.Jdbi",
            "java.sql", "java.sql.Connection",
            "javax.sql", "javax.sql.DataSource",
            "org.h2", "org.h2.Driver",
            "org.postgresql", "org.postgresql.Driver",
            "com.zaxxer", "com.zaxxer.hikari.HikariDataSource",
            "org.flywaydb", "org.flywaydb.core.Flyway",
            "com.github.benmanes", "com.github.benmanes.caffeine.cache.Cache");

    static final Map<String, String> SIGNING = Map.of("com.google.crypto.tink", "com.google.crypto.tink.KeysetHandle");

    static final Map<String, String> PASSKEYS = Map.of("com.webauthn4j", "com.webauthn4j.WebAuthnManager");

    static final Map<String, String> APPLICATION = Map.of(
            "com.password4j", "com.password4j.Argon2Function",
            "picocli", "picocli.CommandLine",
            "jakarta.mail", "jakarta.mail.Session",
            "org.eclipse.angus", "org.eclipse.angus.mail.smtp.SMTPSendFailedException",
            "org.conscrypt", "org.conscrypt.Conscrypt");

    private Libraries() {}
}
