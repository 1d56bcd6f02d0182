package dev.agentpolicy.domain.usecase.request;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.EventFacts;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventScan;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.ChangeProtection.DroppedIps;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.event.tlog.LogPolicy.Witnessing;
import dev.agentpolicy.domain.event.tlog.LogStatus;
import dev.agentpolicy.domain.event.tlog.LogStatus.Stop;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.ConnectionStore.AskingClient;
import dev.agentpolicy.domain.port.ConnectionStore.AuthorizationRequest;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.portfolio.Drift;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.request.InboxItem.Kind;
import dev.agentpolicy.domain.usecase.request.InboxItem.Severity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads everything that needs the owner of an account, in one list (docs/reference/app-api.md, The inbox). Work is bounded: the
 * newest requests, trades and blocked proposals count. Methods block on some queries.
 */
public final class ReadInbox {
    /** How many requests that are pending are looked at. */
    public static final int MAX_REQUESTS = 1_000;
    /** How many trades without a request are told. */
    public static final int MAX_FILLS = 200;
    /** How many blocked proposals of a week are looked at. */
    public static final int MAX_BLOCKED = 250;

    /** How many beginnings of drifts are looked through, a page each time. */
    private static final int MAX_DRIFT_PAGES = 20;

    private static final int DRIFTS_OF_A_PAGE = 50;
    private static final int ID_DIGITS = 32;
    private static final Duration WEEK = Duration.ofDays(7);
    /** An order that is open for longer is stuck. */
    private static final Duration OPEN = Duration.ofDays(1);

    private final AccountReader accounts;
    private final RequestQueue requests;
    private final FillLog fills;
    private final EventLog events;
    private final Users users;
    private final ConnectionStore asking;
    private final Supplier<Optional<LogStatus>> log;
    private final InstantSource clock;

    public ReadInbox(
            AccountReader accounts,
            RequestQueue requests,
            FillLog fills,
            EventLog events,
            Users users,
            ConnectionStore asking,
            Supplier<Optional<LogStatus>> log,
            InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.fills = fills;
        this.events = events;
        this.users = users;
        this.asking = asking;
        this.log = log;
        this.clock = clock;
    }

    /** What needs the owner, the gravest first. What the user is done with is left out until it happens anew. */
    public List<InboxItem> read(UserId user) {
        Set<String> done = users.doneItems(user);
        List<InboxItem> open = new ArrayList<>();
        for (InboxItem item : all(user, done)) {
            if (!done.contains(item.id())) {
                open.add(item);
            }
        }
        open.sort(InboxItem.ORDER);
        return open;
    }

    /** Takes an item out of the list, until the same happens anew. One that is out already stays out. */
    public Answer<String> done(UserId user, String id) {
        Set<String> done = users.doneItems(user);
        List<InboxItem> all = all(user, done);
        InboxItem item =
                all.stream().filter(it -> it.id().equals(id)).findFirst().orElse(null);
        if (item == null) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "The inbox has no item with this id."));
        }
        if (!item.canBeDone()) {
            return Answer.refused(
                    Refusal.invalid(List.of(new Problem("id", "This stays in the inbox until it is answered."))));
        }
        users.addDoneItem(user, id, all.stream().map(InboxItem::id).collect(Collectors.toSet()));
        return Answer.given(id);
    }

    /** Every item, those that the user is done with too. */
    private List<InboxItem> all(UserId user, Set<String> done) {
        Instant now = clock.instant();
        AccountView account = accounts.view(user);
        List<InboxItem> all = new ArrayList<>();
        account.connections().all().forEach(it -> custodian(it, now, all));
        scheduled(account.passkeys().protection(), all);
        asking.waiting(user, now).forEach(it -> connection(it, all));
        log.get().ifPresent(it -> log(it, all));
        requests(user, done, now, all);
        unattested(user, account, all);
        IpsVersion ips = account.ips();
        if (ips != null) {
            drifts(user, account, ips, now, all);
            approvable(user, account, ips, now, all);
        }
        return all;
    }

    private static void custodian(CustodianConnection connection, Instant now, List<InboxItem> all) {
        boolean isRefused = connection.status() == ConnectionStatus.REFUSED;
        if (!isRefused && connection.status() != ConnectionStatus.STALE && !connection.isTooOld(now)) {
            return;
        }
        String reason = Objects.requireNonNullElse(connection.error(), "It has not been heard of for too long.");
        all.add(new InboxItem(
                id(Kind.CUSTODIAN, connection.id(), isRefused ? "refused" : "stale", connection.lastSyncedAt()),
                Kind.CUSTODIAN,
                connection.lastSyncedAt(),
                isRefused ? Severity.HIGH : Severity.MEDIUM,
                connection.name() + (isRefused ? " refuses: " : " is away: ") + reason,
                connection.name(),
                "/portfolio",
                List.of(isRefused ? InboxItem.Action.CONNECT : InboxItem.Action.SYNC, InboxItem.Action.DONE)));
    }

    /** A policy that waits ends by coming into force or by being cancelled. */
    private static void scheduled(ChangeProtection protection, List<InboxItem> all) {
        ScheduledIps waiting = protection.scheduled();
        if (waiting != null) {
            all.add(policy(
                    waiting.scheduledAt(),
                    "A looser policy comes into force at " + Instants.format(waiting.effectiveAt()) + ".",
                    InboxItem.Action.CANCEL));
        }
        DroppedIps dropped = protection.dropped();
        if (dropped != null) {
            all.add(policy(
                    dropped.droppedAt(),
                    "The policy that waited was dropped: " + dropped.reason(),
                    InboxItem.Action.DONE));
        }
    }

    private static InboxItem policy(Instant since, String title, InboxItem.Action ends) {
        return new InboxItem(
                id(Kind.SCHEDULED_POLICY, since),
                Kind.SCHEDULED_POLICY,
                since,
                Severity.MEDIUM,
                title,
                "the policy",
                "/policy",
                List.of(ends));
    }

    /** A program waits for an answer, in the browser in which the user has seen its request. */
    private static void connection(AuthorizationRequest request, List<InboxItem> all) {
        AskingClient client = request.asked().client();
        String name = Objects.requireNonNullElse(client.name(), "A program");
        all.add(new InboxItem(
                id(Kind.CONNECTION, request.id()),
                Kind.CONNECTION,
                request.expiresAt().minus(ConnectionStore.REQUEST_AGE),
                Severity.MEDIUM,
                name + " of " + client.host() + " asks to be connected; answer in the browser that it opened.",
                client.host(),
                "/connect/" + request.id(),
                List.of(InboxItem.Action.REVIEW)));
    }

    /** That the transparency log is stopped, has no quorum of witnesses, or lacks one of them. */
    private static void log(LogStatus status, List<InboxItem> all) {
        Stop stop = status.stopped();
        if (stop != null) {
            all.add(log(Severity.HIGH, "stopped", stop.at(), "The log of this service is stopped: " + stop.reason()));
        }
        Witnessing now = status.witnessing();
        if (now == null) {
            return;
        }
        String count = now.cosigning() + " of " + now.known();
        if (now.noQuorumSince() != null) {
            String title = "Too few witnesses cosign the log of this service: " + count + ".";
            all.add(log(Severity.MEDIUM, "quorum", now.noQuorumSince(), title));
        }
        now.missing()
                .forEach(it -> all.add(log(
                        Severity.LOW,
                        Sha256.hex(it.key().text()).substring(0, ID_DIGITS),
                        it.since(),
                        "The witness " + it.key().name()
                                + " does not cosign the log of this service: it is away, or was left out.")));
    }

    private static InboxItem log(Severity severity, String what, Instant since, String title) {
        return new InboxItem(
                id(Kind.LOG, what, since),
                Kind.LOG,
                since,
                severity,
                title,
                "the log",
                "/proof",
                List.of(InboxItem.Action.REVIEW, InboxItem.Action.DONE));
    }

    private void requests(UserId user, Set<String> done, Instant now, List<InboxItem> all) {
        for (ServiceRequest request : requests.page(user, RequestStatus.PENDING, null, MAX_REQUESTS)) {
            if (!(request instanceof Pending pending) || pending.isExpired(now)) {
                continue;
            }
            OrderAttempt order = pending.order();
            if (order != null) {
                underWay(pending, order, now, all);
            } else {
                waiting(pending, done, all);
            }
        }
    }

    /** An order that is not as it was accepted, or open for long. */
    private static void underWay(Pending request, OrderAttempt order, Instant now, List<InboxItem> all) {
        String warning = order.warning();
        List<InboxItem.Action> actions =
                List.of(InboxItem.Action.CANCEL, InboxItem.Action.CLOSE, InboxItem.Action.DONE);
        if (warning != null) {
            all.add(item(Kind.ORDER_FAILED, request, order.acceptedAt(), Severity.HIGH, warning, actions));
        }
        Instant stuckAt = order.acceptedAt().plus(OPEN);
        if (!now.isBefore(stuckAt)) {
            String title = "The order to " + request.proposal().trade().inWords() + " is open for more than a day.";
            all.add(item(Kind.ORDER_STUCK, request, stuckAt, Severity.MEDIUM, title, actions));
        }
    }

    /** A request that waits: after a failure that, and once the user is done with the failure the request itself. */
    private static void waiting(Pending request, Set<String> done, List<InboxItem> all) {
        String error = request.executionError();
        if (error != null) {
            OrderAttempt ended = request.ended();
            InboxItem failed = item(
                    Kind.ORDER_FAILED,
                    request,
                    ended == null ? request.proposal().createdAt() : ended.acceptedAt(),
                    Severity.HIGH,
                    "Not executed: " + error,
                    List.of(InboxItem.Action.ACCEPT, InboxItem.Action.REJECT, InboxItem.Action.DONE));
            all.add(failed);
            if (!done.contains(failed.id())) {
                return;
            }
        }
        all.add(new InboxItem(
                id(Kind.REQUEST, request.id()),
                Kind.REQUEST,
                request.proposal().createdAt(),
                Severity.MEDIUM,
                request.proposal().agentName() + " asks to "
                        + request.proposal().trade().inWords() + ".",
                request.proposal().trade().inWords(),
                href(request),
                List.of(InboxItem.Action.ACCEPT, InboxItem.Action.REJECT)));
    }

    /** Trades at brokers; those at paper custodians without a request are the user's own. */
    private void unattested(UserId user, AccountView account, List<InboxItem> all) {
        if (account.connections().all().isEmpty()) {
            return;
        }
        for (RecordedFill recorded : fills.withoutRequest(user, MAX_FILLS)) {
            Fill fill = recorded.fill();
            CustodianConnection broker =
                    account.connections().find(fill.custodian()).orElse(null);
            if (broker != null) {
                String trade =
                        new Trade(fill.action(), fill.symbol(), fill.assetType(), fill.amountUsd(), null).inWords();
                all.add(new InboxItem(
                        id(
                                Kind.UNATTESTED_FILL,
                                Sha256.hex(fill.custodian() + "\n" + fill.id()).substring(0, ID_DIGITS)),
                        Kind.UNATTESTED_FILL,
                        fill.executedAt(),
                        Severity.MEDIUM,
                        "You did not accept this trade at " + broker.name() + ": " + trade + ".",
                        trade,
                        "/reconciliation",
                        List.of(InboxItem.Action.REVIEW, InboxItem.Action.DONE)));
            }
        }
    }

    private void drifts(UserId user, AccountView account, IpsVersion ips, Instant now, List<InboxItem> all) {
        Portfolio portfolio = account.portfolio();
        if (portfolio == null || account.connections().stale(now) != null) {
            return;
        }
        List<Drift> drifts = portfolio
                .snapshot()
                .map(snapshot -> Drift.of(snapshot, ips.ips()))
                .orElse(List.of());
        if (drifts.isEmpty()) {
            return;
        }
        Map<Rule, EventFacts> beginnings =
                beginnings(user, drifts.stream().map(Drift::rule).toList());
        for (Drift drift : drifts) {
            EventFacts began = beginnings.get(drift.rule());
            all.add(new InboxItem(
                    id(
                            Kind.OUT_OF_LIMITS,
                            drift.rule().wireName(),
                            began == null ? 0 : began.row().seq()),
                    Kind.OUT_OF_LIMITS,
                    began == null ? ips.createdAt() : began.row().createdAt(),
                    Severity.MEDIUM,
                    words(drift),
                    drift.rule().wireName(),
                    "/portfolio",
                    List.of(InboxItem.Action.REVIEW, InboxItem.Action.DONE)));
        }
    }

    /** The newest beginning of a drift past each of these rules, however many other events are newer. */
    private Map<Rule, EventFacts> beginnings(UserId user, List<Rule> rules) {
        Map<Rule, EventFacts> found = new EnumMap<>(Rule.class);
        EventQuery query = new EventQuery(
                DRIFTS_OF_A_PAGE,
                EventQuery.Direction.DESC,
                Optional.of(EventKind.DRIFT_DETECTED),
                Optional.empty(),
                OptionalLong.empty());
        for (int page = 0; page < MAX_DRIFT_PAGES && !found.keySet().containsAll(rules); page++) {
            List<PolicyEvent> rows = events.page(user, query).rows();
            if (rows.isEmpty()) {
                break;
            }
            rows.stream()
                    .filter(row -> row.payload() != null)
                    .map(row -> EventFacts.of(ScannedRow.of(row)))
                    .forEach(it -> it.rules().forEach(rule -> found.putIfAbsent(rule, it)));
            query = query.after(rows.get(rows.size() - 1).seq());
        }
        return found;
    }

    /** The newest blocked proposal of each agent and trade in a week that only an approval is missing for. */
    private void approvable(UserId user, AccountView account, IpsVersion ips, Instant now, List<InboxItem> all) {
        long from = events.firstSince(user, now.minus(WEEK));
        List<ScannedRow> blocked =
                events.scan(user, new EventScan(from, Long.MAX_VALUE, MAX_BLOCKED, true, false, null, false));
        Set<String> seen = new HashSet<>();
        for (ScannedRow row : blocked) {
            String payload = row.payload();
            if (payload == null || !payload.contains(Rule.STANDING_RULE_REQUIRES_APPROVAL.wireName())) {
                continue;
            }
            EventFacts facts = EventFacts.of(row);
            AgentKeyId agent = facts.agentKeyId();
            Trade trade = facts.asked();
            if (facts.call() != DecisionRecord.Kind.PROPOSE
                    || facts.actor() != DecisionRecord.Actor.AGENT
                    || agent == null
                    || trade == null
                    || !seen.add(agent + " " + trade.action() + " " + trade.asset() + " " + trade.amount())) {
                continue;
            }
            List<String> rules = openRules(facts.violations(), agent, trade, account, ips, now);
            if (!rules.isEmpty()) {
                all.add(new InboxItem(
                        id(Kind.APPROVABLE, row.seq()),
                        Kind.APPROVABLE,
                        row.createdAt(),
                        Severity.LOW,
                        account.agentName(agent) + " asked to " + trade.inWords() + "; " + String.join(" and ", rules)
                                + " blocks it unless you allow it.",
                        trade.inWords(),
                        "/requests",
                        List.of(InboxItem.Action.APPROVE, InboxItem.Action.DONE)));
            }
        }
    }

    /** The rules that block a proposal alone, still ask for approval and have none; empty if something else blocks it. */
    private static List<String> openRules(
            List<Violation> violations,
            AgentKeyId agent,
            Trade trade,
            AccountView account,
            IpsVersion ips,
            Instant now) {
        if (violations.stream().anyMatch(it -> it.rule() != Rule.STANDING_RULE_REQUIRES_APPROVAL)) {
            return List.of();
        }
        List<ApprovalUse> approvals = ips.ips().approvals().stream()
                .map(account.flows().approvals()::of)
                .filter(use ->
                        use.approval().isFor(agent.value()) && use.approval().isInForce(now))
                .toList();
        return violations.stream()
                .map(Violation::ruleId)
                .filter(Objects::nonNull)
                .filter(rule -> asks(rule, ips))
                .filter(rule -> approvals.stream().noneMatch(use -> use.covers(rule, trade)))
                .toList();
    }

    private static boolean asks(String id, IpsVersion ips) {
        return Stream.concat(
                        ips.ips().standingRules().stream()
                                .filter(it -> it.effect() == StandingRule.Effect.REQUIRE_APPROVAL)
                                .map(StandingRule::id),
                        ips.ips().limits().stream()
                                .filter(it -> it.effect() == StandingRule.Effect.REQUIRE_APPROVAL)
                                .map(it -> it.id()))
                .anyMatch(id::equals);
    }

    private static InboxItem item(
            Kind kind,
            Pending request,
            Instant since,
            Severity severity,
            String title,
            List<InboxItem.Action> actions) {
        return new InboxItem(
                id(kind, request.id(), request.attempts()),
                kind,
                since,
                severity,
                title,
                request.proposal().trade().inWords(),
                href(request),
                actions);
    }

    private static String id(Kind kind, Object... parts) {
        return kind.wireName()
                + Stream.of(parts)
                        .map(part -> "-" + (part instanceof Instant at ? at.toEpochMilli() : part))
                        .collect(Collectors.joining());
    }

    private static String href(Pending request) {
        return "/requests/" + request.id();
    }

    private static String words(Drift drift) {
        boolean isTooMuch = drift.rule() == Rule.CRYPTO_MAX_ALLOCATION || drift.rule() == Rule.TRADFI_MAX_ALLOCATION;
        String what = drift.rule() == Rule.CASH_FLOOR
                ? "Cash"
                : drift.rule() == Rule.CRYPTO_MAX_ALLOCATION || drift.rule() == Rule.CRYPTO_MIN_ALLOCATION
                        ? AssetType.CRYPTO.wireName()
                        : AssetType.TRADFI.wireName();
        return what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1) + " is "
                + drift.actual().inPercent() + "% of the portfolio; your policy wants "
                + (isTooMuch ? "at most " : "at least ") + drift.limit().inPercent() + "%.";
    }
}
