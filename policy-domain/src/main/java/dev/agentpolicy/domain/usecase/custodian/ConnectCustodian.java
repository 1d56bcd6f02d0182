package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.BrokerAccounts;
import dev.agentpolicy.domain.port.Brokers;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.DriftDetector;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Connects accounts to brokers, and removes custodians (docs/reference/custodians.md). Methods block. */
public record ConnectCustodian(
        Accounts accounts,
        AccountReader reader,
        Brokers brokers,
        BrokerAccounts brokerAccounts,
        CustodianCredentials credentials,
        PaperCustodians papers,
        SyncCustodian sync) {
    /**
     * A custodian of a user.
     *
     * @param connection null for a paper custodian
     */
    public record ListedCustodian(
            String id,
            String name,
            CustodianKind kind,
            @Nullable Instant lastSyncedAt,
            @Nullable CustodianConnection connection) {}

    /** The custodians of a user, those with a connection that has not been synced yet last. */
    public List<ListedCustodian> list(UserId user) {
        return custodians(reader.view(user));
    }

    /** The custodians of an account. */
    public static List<ListedCustodian> custodians(AccountReader.AccountView view) {
        List<ListedCustodian> all = new ArrayList<>();
        Portfolio portfolio = view.portfolio();
        List<CustodianHoldings> held = portfolio == null ? List.of() : portfolio.custodians();
        for (CustodianHoldings holdings : held) {
            CustodianConnection connection =
                    view.connections().find(holdings.id()).orElse(null);
            all.add(
                    connection == null
                            ? new ListedCustodian(
                                    holdings.id(), holdings.name(), holdings.kind(), holdings.syncedAt(), null)
                            : listed(connection));
        }
        view.connections().all().stream()
                .filter(connection -> held.stream().noneMatch(it -> it.id().equals(connection.id())))
                .forEach(connection -> all.add(listed(connection)));
        return all;
    }

    private static ListedCustodian listed(CustodianConnection connection) {
        return new ListedCustodian(
                connection.id(), connection.name(), connection.kind(), connection.lastSyncedAt(), connection);
    }

    /** A custodian of a user. */
    public Optional<ListedCustodian> find(UserId user, String id) {
        return list(user).stream()
                .filter(custodian -> custodian.id().equals(id))
                .findFirst();
    }

    /** Connects an account of a user who confirms nothing. */
    public Answer<ListedCustodian> connect(UserId user, String id, ConnectRequest request) {
        return connect(ConfirmingOwner.unconfirmed(user), id, request);
    }

    /**
     * Connects an account at a broker, or gives an existing connection new credentials; what is held then lets agents do more.
     * Nothing is stored before the broker has answered for them. The answer is the custodian after its first sync.
     */
    public Answer<ListedCustodian> connect(ConfirmingOwner owner, String id, ConnectRequest request) {
        UserId user = owner.user();
        Answer<Boolean> free = accounts.changeAndWait(user, account -> free(account, owner, id));
        if (free.refusal() != null) {
            return Answer.refused(free.refusal());
        }
        BrokerAccount account;
        try {
            account = brokers.account(request.kind(), request.credentials());
        } catch (CustodianFailure failed) {
            return Answer.refused(
                    failed.isRefusal() ? Refusal.of(Code.CUSTODIAN_REFUSED, failed.reason()) : Refusal.unavailable());
        }
        if (!brokerAccounts.claim(user, account)) {
            return Answer.refused(Refusal.of(
                    Code.CUSTODIAN_EXISTS,
                    "Another user of this service has connected this account; it can be connected once."));
        }
        Answer<Long> connected = accounts.changeAndWait(user, new Connect(id, request, account));
        keepOnlyConnected(user);
        // The connection comes first: it is refused while an order is under way at another account, and the credentials
        // of that account must not be lost then.
        return connected.then(version -> {
            credentials.store(user, id, version, request.credentials());
            sync.sync(user, id);
            return found(user, id);
        });
    }

    /** Whether an id is free, once that is confirmed. The use of the passkey is recorded before the broker is asked. */
    private static Outcome<Answer<Boolean>> free(Account account, ConfirmingOwner owner, String id) {
        Refusal taken = refused(account, id).orElse(null);
        Answer<OwnerPasskeys> confirmed = taken == null ? owner.confirmed(account, true) : Answer.refused(taken);
        return confirmed.fold(
                proven -> proven.equals(account.passkeys())
                        ? Outcome.nothing(Answer.given(true))
                        : new Outcome.Recording().passkeys(proven).answer(receipts -> Answer.given(true)),
                refusal -> Outcome.nothing(Answer.refused(refusal)));
    }

    /** Gives back claims of accounts that are not connected, or not any more. */
    private void keepOnlyConnected(UserId user) {
        brokerAccounts.keepOnly(
                user,
                reader.view(user).connections().all().stream()
                        .map(CustodianConnection::account)
                        .toList());
    }

    /** Syncs a custodian now. The answer is the custodian after that; its status says whether it succeeded. */
    public Answer<ListedCustodian> sync(UserId user, String id) {
        return sync.sync(user, id) == SyncResult.UNKNOWN ? Answer.refused(unknown(id)) : found(user, id);
    }

    private Answer<ListedCustodian> found(UserId user, String id) {
        return find(user, id).map(Answer::given).orElseGet(() -> Answer.refused(unknown(id)));
    }

    private static Refusal unknown(String id) {
        return Refusal.of(Code.NOT_FOUND, "There is no custodian " + id + ".");
    }

    /** Removes a custodian of a user who confirms nothing. */
    public Answer<Boolean> remove(UserId user, String id) {
        return remove(ConfirmingOwner.unconfirmed(user), id);
    }

    /** Removes a custodian: its holdings leave the portfolio, as if they were withdrawn, which can let agents do more. */
    public Answer<Boolean> remove(ConfirmingOwner owner, String id) {
        UserId user = owner.user();
        return accounts.changeAndWait(user, new Remove(owner, id)).map(version -> {
            credentials.delete(user, id, version);
            papers.delete(user, id);
            keepOnlyConnected(user);
            return true;
        });
    }

    /** Why an id is not free for a connection. */
    private static Optional<Refusal> refused(Account account, String id) {
        Portfolio portfolio = account.portfolio();
        boolean isPaper = portfolio != null
                && portfolio
                        .custodian(id)
                        .filter(holdings -> !holdings.kind().isSynced())
                        .isPresent();
        if (isPaper) {
            return Optional.of(Refusal.of(
                    Code.CUSTODIAN_EXISTS, "The custodian " + id + " is a paper custodian; use another id."));
        }
        boolean isNew = account.connections().find(id).isEmpty();
        boolean isFull = account.connections().all().size() >= ObservePortfolio.MAX_CUSTODIANS
                || ObservePortfolio.isFull(account, id);
        return isNew && isFull
                ? Optional.of(Refusal.of(
                        Code.TOO_MANY,
                        "There are " + ObservePortfolio.MAX_CUSTODIANS + " custodians already; remove one of them."))
                : Optional.empty();
    }

    /** Records a connection. One that exists goes on if the credentials lead to the same account. */
    private record Connect(String id, ConnectRequest request, BrokerAccount broker) implements Change<Answer<Long>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.accepted();
        }

        @Override
        public Outcome<Answer<Long>> apply(Account account) {
            Optional<Refusal> refused = refused(account, id);
            Optional<CustodianConnection> twin = account.connections().all().stream()
                    .filter(it -> !it.id().equals(id) && it.account().equals(broker))
                    .findFirst();
            if (refused.isEmpty() && twin.isPresent()) {
                // Its holdings and fills would count twice.
                return Outcome.nothing(Answer.refused(Refusal.of(
                        Code.CUSTODIAN_EXISTS,
                        "This account is connected as " + twin.get().id() + " already.")));
            }
            CustodianConnection before = account.connections().find(id).orElse(null);
            boolean isSameAccount = before != null && before.accountId().equals(broker.id());
            if (refused.isPresent() || !isSameAccount && !account.underWay(id).isEmpty()) {
                return Outcome.nothing(Answer.refused(refused.orElseGet(() -> underWay(id))));
            }
            CustodianConnection next =
                    before == null || !isSameAccount ? first(account.now()) : before.renewed(first(account.now()));
            CustodianConnections after = account.connections().with(next).next();
            return new Outcome.Recording().connections(after).answer(receipts -> Answer.given(after.version()));
        }

        private CustodianConnection first(Instant now) {
            return new CustodianConnection(
                    id,
                    request.name(),
                    request.kind(),
                    request.credentials().environment(),
                    broker.id(),
                    now,
                    now,
                    now,
                    now,
                    ConnectionStatus.CONNECTED,
                    null,
                    null);
        }
    }

    private static Refusal underWay(String id) {
        return Refusal.of(Code.ORDER_UNDER_WAY, "An order at " + id + " is under way; cancel it or wait for its end.");
    }

    private record Remove(ConfirmingOwner owner, String id) implements Change<Answer<Long>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.accepted();
        }

        @Override
        public Outcome<Answer<Long>> apply(Account account) {
            return owner.change(account, true, confirmed -> removed(account));
        }

        private Outcome<Answer<Long>> removed(Account account) {
            Portfolio portfolio = account.portfolio();
            boolean isHeld = portfolio != null && portfolio.custodian(id).isPresent();
            boolean isConnected = account.connections().find(id).isPresent();
            if (!isHeld && !isConnected) {
                return Outcome.nothing(Answer.refused(unknown(id)));
            }
            if (!account.underWay(id).isEmpty()) {
                return Outcome.nothing(Answer.refused(underWay(id)));
            }
            Outcome.Recording recording = portfolio != null && isHeld
                    ? DriftDetector.recording(account, portfolio.without(id, account.now()), List.of())
                    : new Outcome.Recording();
            CustodianConnections left = account.connections().without(id).next();
            if (isConnected) {
                recording.connections(left);
            }
            return recording.answer(receipts -> Answer.given(left.version()));
        }
    }
}
