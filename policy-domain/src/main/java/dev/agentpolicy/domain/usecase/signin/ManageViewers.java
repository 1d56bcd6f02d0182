package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.agent.Viewer.ViewerRequest;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Sessions.StoredSession;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Lets others look at an account, and ends that (docs/reference/viewers.md). A viewer is recorded with its event in one
 * change of the account, so revoking it counts at the next call on every node. Methods block.
 */
public record ManageViewers(
        Accounts accounts, AccountReader reader, Sessions sessions, RandomSource random, InstantSource clock) {
    /** Maximum number of open sessions of a viewer. */
    public static final int MAX_SESSIONS = 10;

    /**
     * A viewer with the token of its address, which is not stored and is shown once.
     *
     * @param token for {@link #open}
     */
    public record MadeViewer(Viewer viewer, String token) {
        @Override
        public String toString() {
            return "MadeViewer[" + viewer + "]";
        }
    }

    /**
     * A session of a viewer.
     *
     * @param user whose account it shows
     * @param token of the session, which the browser keeps
     * @param expiresAt when it ends at the latest
     */
    public record ViewerSession(UserId user, Viewer viewer, String token, Instant expiresAt) {
        @Override
        public String toString() {
            return "ViewerSession[" + viewer + "]";
        }
    }

    /** Makes a viewer, which needs a confirmation where changes are confirmed. */
    public Answer<MadeViewer> make(ConfirmingOwner owner, ViewerRequest request) {
        UUID id = random.uuid();
        String token = Viewer.token(owner.user(), random.bytes(Viewer.SECRET_BYTES));
        return accounts.changeAndWait(
                owner.user(),
                account -> owner.change(
                        account, true, confirmed -> made(confirmed, request.made(id, token, account.now()), token)));
    }

    private static Outcome<Answer<MadeViewer>> made(Account account, Viewer viewer, String token) {
        Instant now = account.now();
        if (account.passkeys().viewers().stream()
                        .filter(each -> each.isWorking(now))
                        .count()
                >= Viewer.MAX) {
            String message = "There are " + Viewer.MAX + " viewers already; revoke one first.";
            return Outcome.nothing(Answer.refused(Refusal.of(Refusal.Code.TOO_MANY, message)));
        }
        return new Outcome.Recording()
                .passkeys(account.passkeys().withViewer(viewer, now))
                .event(EventPayloads.viewer(EventKind.KEY_MINTED, viewer))
                .answer(receipts -> Answer.given(new MadeViewer(viewer, token)));
    }

    /** The working viewers of a user, newest first. */
    public List<Viewer> list(UserId user) {
        Instant now = clock.instant();
        return reader.view(user).passkeys().viewers().stream()
                .filter(viewer -> viewer.isWorking(now))
                .sorted(Comparator.comparing(Viewer::createdAt)
                        .thenComparing(viewer -> viewer.id().toString())
                        .reversed())
                .toList();
    }

    /** Ends a viewer and its sessions. */
    public Answer<Viewer> revoke(UserId user, UUID id) {
        Answer<Viewer> revoked = accounts.changeAndWait(
                user,
                account -> account.passkeys()
                        .viewer(id, account.now())
                        .<Outcome<Answer<Viewer>>>map(viewer -> new Outcome.Recording()
                                .passkeys(account.passkeys().withoutViewer(id))
                                .event(EventPayloads.viewer(EventKind.KEY_REVOKED, viewer))
                                .answer(receipts -> Answer.given(viewer)))
                        .orElseGet(() -> Outcome.nothing(Answer.refused(
                                Refusal.of(Refusal.Code.NOT_FOUND, "You have no viewer with this id.")))));
        return revoked.map(viewer -> {
            sessions.closeViewer(user, id);
            return viewer;
        });
    }

    /** The viewer of a session, if it works. */
    public Optional<Viewer> working(UserId user, UUID id) {
        return reader.view(user).passkeys().viewer(id, clock.instant());
    }

    /** Opens a session for whoever has the address of a viewer, and ends the browser's former session. */
    public Answer<ViewerSession> open(String token, Visitor visitor) {
        Instant now = Instants.truncated(clock.instant());
        String hash = Sha256.hex(token);
        return Viewer.userOf(token)
                .flatMap(user -> reader.view(user).passkeys().viewers().stream()
                        .filter(viewer -> viewer.secretHash().equals(hash) && viewer.isWorking(now))
                        .findFirst()
                        .map(viewer -> Answer.given(opened(user, viewer, visitor, now))))
                .orElseGet(() -> Answer.refused(Refusal.of(
                        Refusal.Code.NOT_FOUND, "This address does not work, or not any more; ask for another one.")));
    }

    private ViewerSession opened(UserId user, Viewer viewer, Visitor visitor, Instant now) {
        Instant latest = now.plus(SignIn.MAX_SESSION);
        Instant expiresAt = viewer.expiresAt().isBefore(latest) ? viewer.expiresAt() : latest;
        ViewerSession session = new ViewerSession(user, viewer, SignIn.token(random), expiresAt);
        String hash = Sha256.hex(session.token);
        sessions.open(hash, new StoredSession(random.uuid(), user, now, now, expiresAt, visitor.origin(), viewer.id()));
        String former = visitor.sessionHash();
        if (former != null) {
            sessions.close(former);
        }
        sessions.closeBeyond(user, viewer.id(), hash, now, MAX_SESSIONS);
        return session;
    }
}
