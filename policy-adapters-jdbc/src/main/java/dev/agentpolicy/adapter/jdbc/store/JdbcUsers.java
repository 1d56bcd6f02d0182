package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.RequestMails;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.Users;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.JdbiException;

/** Stores the users who may sign in. */
public record JdbcUsers(Reads reads) implements Users {

    @Override
    public boolean add(User user) {
        return Retries.whenAnswerIsLost(() -> insert(user));
    }

    /** Returns true also when an earlier attempt, whose answer was lost, inserted this user. */
    private boolean insert(User user) {
        try {
            reads.change(handle -> handle.createUpdate("INSERT INTO app_user(user_id, email, password_hash, created_at,"
                            + " email_confirmed) VALUES (:id, :email, :password, :at, :confirmed)")
                    .bind("id", user.id().value())
                    .bind("email", user.email().toLowerCase(Locale.ROOT))
                    .bind("password", user.passwordHash())
                    .bind("at", user.createdAt())
                    .bind("confirmed", user.isEmailConfirmed())
                    .execute());
            return true;
        } catch (JdbiException failed) {
            Optional<User> there = Reads.isTaken(failed) ? byEmail(user.email()) : Optional.empty();
            return there.orElseThrow(() -> failed).id().equals(user.id());
        }
    }

    @Override
    public Optional<User> byEmail(String email) {
        return find("email", email.toLowerCase(Locale.ROOT));
    }

    @Override
    public Optional<User> byId(UserId id) {
        return find("user_id", id.value());
    }

    @Override
    public void setPassword(UserId id, String passwordHash) {
        reads.change(handle -> handle.createUpdate("UPDATE app_user SET password_hash = :password WHERE user_id = :id")
                .bind("password", passwordHash)
                .bind("id", id.value())
                .execute());
    }

    @Override
    public boolean setEmail(UserId id, String email, boolean isConfirmed) {
        String lower = email.toLowerCase(Locale.ROOT);
        try {
            return reads.change(handle -> handle.createUpdate("UPDATE app_user SET email = :email,"
                                    + " email_confirmed = :confirmed WHERE user_id = :id")
                            .bind("email", lower)
                            .bind("confirmed", isConfirmed)
                            .bind("id", id.value())
                            .execute())
                    > 0;
        } catch (JdbiException failed) {
            if (Reads.isTaken(failed)) {
                return false;
            }
            throw failed;
        }
    }

    @Override
    public void confirmEmail(UserId id, String email) {
        reads.change(handle -> handle.createUpdate(
                        "UPDATE app_user SET email_confirmed = TRUE WHERE user_id = :id AND email = :email")
                .bind("id", id.value())
                .bind("email", email.toLowerCase(Locale.ROOT))
                .execute());
    }

    @Override
    public void setRequestMails(UserId id, RequestMails mails) {
        reads.change(handle -> handle.createUpdate("UPDATE app_user SET request_mails = :mails WHERE user_id = :id")
                .bind("mails", mails.wireName())
                .bind("id", id.value())
                .execute());
    }

    private Optional<User> find(String column, Object value) {
        return reads.with(handle -> handle.createQuery("SELECT * FROM app_user WHERE " + column + " = :value")
                .bind("value", value)
                .map((row, context) -> user(row))
                .findOne());
    }

    private static User user(ResultSet row) throws SQLException {
        return new User(
                new UserId(row.getObject("user_id", UUID.class)),
                row.getString("email"),
                row.getString("password_hash"),
                RowReader.instant(row, "created_at"),
                RowReader.word(RequestMails.values(), RequestMails::wireName, row.getString("request_mails")),
                row.getBoolean("email_confirmed"));
    }
}
