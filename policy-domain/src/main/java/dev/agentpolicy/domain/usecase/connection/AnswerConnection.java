package dev.agentpolicy.domain.usecase.connection;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.ConnectionStore.AskedConnection;
import dev.agentpolicy.domain.port.ConnectionStore.AuthorizationRequest;
import dev.agentpolicy.domain.port.ConnectionStore.Consent;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Proof;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for a connection: the user consents, with limits, or refuses (docs/reference/connections.md). A request is
 * answered in the browser that brought it. Methods block.
 */
public record AnswerConnection(
        ConnectionStore store,
        Accounts accounts,
        AccountReader reader,
        ManagePasskeys passkeys,
        Sessions sessions,
        RandomSource random,
        InstantSource clock) {
    /** How long a connection lasts at most, in days. */
    public static final int MAX_DAYS = 365;

    /** How long a connection lasts unless the user says otherwise, in days. */
    public static final int DEFAULT_DAYS = 90;

    /** How long the code of a consent can be exchanged. */
    public static final Duration CODE_AGE = Duration.ofSeconds(60);

    /** For how long after a sign-in a consent needs no other confirmation. */
    static final Duration FRESH = Duration.ofMinutes(10);

    private static final int SECRET_BYTES = 32;

    /**
     * A request as it is shown to the user who may answer it.
     *
     * @param replaced the working connection of the same client, which a consent replaces; null for none
     * @param redirectHost where the answer goes; the scheme of an address without a host
     */
    public record ShownRequest(
            AuthorizationRequest request, @Nullable AgentKey replaced, String redirectHost) {}

    /** A request that waits for an answer from this browser. */
    public Answer<ShownRequest> read(UserId user, UUID id, @Nullable String browser) {
        return waiting(id, browser).map(request -> {
            store.seen(id, user);
            AskedConnection asked = request.asked();
            AgentKey replaced = IssueKeys.connected(
                    reader.view(user).keys().values(), asked.client().id(), clock.instant());
            return new ShownRequest(request, replaced, RedirectUris.host(asked.redirectUri()));
        });
    }

    /**
     * Consents. The answer is the address that the browser goes to, with a code that the client exchanges.
     *
     * @param sent the key to be made
     * @param confirmation needed unless the user signed in a short while ago, and always where changes are confirmed
     */
    public Answer<String> approve(
            OwnerBrowser by, UUID id, @Nullable String browser, KeyRequest sent, Confirmation confirmation) {
        return waiting(id, browser)
                .then(request -> limited(sent, request.asked()))
                .then(key -> confirmed(by, key, confirmation, id))
                .then(key -> {
                    String code = secret();
                    Consent consent = new Consent(
                            by.user(),
                            secret(),
                            key,
                            Instants.truncated(clock.instant()).plus(CODE_AGE));
                    return answered(
                            id, store.approve(id, Sha256.hex(code), consent, clock.instant()), List.of("code", code));
                });
    }

    /** Refuses. The answer is the address that the browser goes to. */
    public Answer<String> deny(UUID id, @Nullable String browser) {
        return waiting(id, browser)
                .then(request -> answered(
                        id,
                        store.deny(id, clock.instant()),
                        List.of("error", "access_denied", "error_description", "The user refused.")));
    }

    private Answer<String> answered(UUID id, boolean isFirst, List<String> members) {
        return isFirst
                ? store.request(id)
                        .map(request -> RequestConnection.answerTo(
                                request.asked().redirectUri(),
                                members,
                                request.asked().state(),
                                request.asked().issuer()))
                        .map(Answer::given)
                        .orElseGet(() -> Answer.refused(over()))
                : Answer.refused(over());
    }

    private Answer<AuthorizationRequest> waiting(UUID id, @Nullable String browser) {
        Optional<AuthorizationRequest> found = browser == null
                ? Optional.empty()
                : store.request(id).filter(request -> request.browserHash().equals(Sha256.hex(browser)));
        return found.filter(request -> !request.isAnswered() && clock.instant().isBefore(request.expiresAt()))
                .map(Answer::given)
                .orElseGet(() -> Answer.refused(over()));
    }

    private static Refusal over() {
        return Refusal.of(
                Refusal.Code.NOT_FOUND,
                "This request was answered, is older than ten minutes, or was begun in another browser; begin again in the"
                        + " program that you connect.");
    }

    private static Answer<KeyRequest> limited(KeyRequest sent, AskedConnection asked) {
        Integer days = sent.expiresInDays();
        if (!asked.scopes().containsAll(sent.scopes())) {
            return wrong("scopes", "scopes must be among those that were asked for.");
        }
        if (days != null && days > MAX_DAYS) {
            return wrong("expiresInDays", "expiresInDays must be an integer from 1 to " + MAX_DAYS + ".");
        }
        return Answer.given(new KeyRequest(
                sent.name(),
                sent.type(),
                sent.scopes(),
                sent.policy(),
                days == null ? Integer.valueOf(DEFAULT_DAYS) : days));
    }

    private static Answer<KeyRequest> wrong(String field, String message) {
        return Answer.refused(Refusal.invalid(List.of(new Problem(field, message))));
    }

    /** The key as it is to be made, once the user has confirmed where that is needed. */
    private Answer<KeyRequest> confirmed(OwnerBrowser by, KeyRequest key, Confirmation confirmation, UUID id) {
        String session = by.visitor().sessionHash();
        boolean isFresh = session != null
                && sessions.find(session)
                        .filter(open ->
                                clock.instant().isBefore(open.createdAt().plus(FRESH)))
                        .isPresent();
        Proof sent = passkeys.proof(by, confirmation);
        String client = store.request(id).map(it -> it.asked().client().id()).orElse("");
        return accounts.changeAndWait(
                by.user(),
                account -> (isFresh && !account.passkeys().protection().confirms() ? sent.ifSent(confirmation) : sent)
                        .in(account)
                        .then(proven -> key.canonical(
                                        KnownAssets.resolver(account.portfolio(), account.ips(), List.of()))
                                .fold(
                                        spelled -> Answer.given(new Confirmed(proven, spelled)),
                                        problems -> Answer.refused(Refusal.invalid(problems))))
                        .then(confirmed -> room(account, client, confirmed))
                        .fold(
                                confirmed -> recorded(account, confirmed),
                                refusal -> Outcome.nothing(Answer.refused(refusal))));
    }

    private record Confirmed(OwnerPasskeys passkeys, KeyRequest key) {}

    private static Answer<Confirmed> room(Account account, String client, Confirmed confirmed) {
        Optional<Refusal> tooMany = IssueKeys.connected(account.keys().values(), client, account.now()) == null
                ? IssueKeys.tooMany(account)
                : Optional.empty();
        return tooMany.<Answer<Confirmed>>map(Answer::refused).orElseGet(() -> Answer.given(confirmed));
    }

    private static Outcome<Answer<KeyRequest>> recorded(Account account, Confirmed confirmed) {
        return confirmed.passkeys.equals(account.passkeys())
                ? Outcome.nothing(Answer.given(confirmed.key))
                : new Outcome.Recording().passkeys(confirmed.passkeys).answer(receipts -> Answer.given(confirmed.key));
    }

    private String secret() {
        return HexFormat.of().formatHex(random.bytes(SECRET_BYTES));
    }
}
