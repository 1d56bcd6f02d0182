package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.jdbc.dialect.Table;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.OwnerWrites;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.ConnectedClient;
import dev.agentpolicy.domain.agent.AgentKey.EndingSecret;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.NetworkRange;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.RequestDocument;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Makes rows of values; {@link RowReader} reads them. */
public final class RowWriter {
    private final UUID user;
    private final RowBuffer rows = new RowBuffer();

    private RowWriter(UUID user) {
        this.user = user;
    }

    /**
     * The rows of an outcome and of the events that its drafts have become.
     *
     * @param now the time of the change
     * @param firstFill the place of its first fill among the fills of the user
     */
    public static RowBuffer of(UUID user, Outcome<?> outcome, List<SealedEvent> events, Instant now, long firstFill) {
        RowWriter writer = new RowWriter(user);
        events.forEach(writer::event);
        if (outcome.ips() != null) {
            writer.ips(outcome.ips());
        }
        if (outcome.portfolio() != null) {
            writer.portfolio(outcome.portfolio());
        }
        if (outcome.connections() != null) {
            writer.connections(outcome.connections());
        }
        if (outcome.passkeys() != null) {
            writer.passkeys(outcome.passkeys());
        }
        if (outcome.written() != null) {
            writer.written(outcome.written());
        }
        if (outcome.flows() != null) {
            writer.flows(outcome.flows());
        }
        outcome.keys().forEach(writer::key);
        outcome.tallies().forEach((key, tally) -> tally(writer.rows, user, key, tally));
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        outcome.calls().forEach((key, calls) -> writer.rows.put(Table.DAILY_CALL, user, key.value(), today, calls));
        outcome.requests().forEach(writer::request);
        long place = firstFill;
        for (RecordedFill recorded : outcome.fills()) {
            writer.fill(recorded, place++);
        }
        outcome.replays().forEach(writer::replay);
        return writer.rows;
    }

    /** Adds an account row. */
    public static void account(RowBuffer rows, UUID user, AccountRow row) {
        rows.put(
                Table.ACCOUNT,
                user,
                row.head().seq(),
                EventColumns.hash(row.head().hash()),
                Timestamps.column(row.head().createdAt()),
                row.ipsVersion(),
                row.portfolioRev(),
                row.keysRev(),
                row.requestsRev(),
                row.connectionsRev(),
                row.scheduledRev(),
                row.signingKeyId(),
                row.changes(),
                row.decided().day(),
                row.decided().count());
    }

    private void event(SealedEvent row) {
        PolicyEvent event = row.event();
        EventDraft draft = row.draft();
        rows.put(
                Table.POLICY_EVENT,
                user,
                event.seq(),
                Timestamps.column(event.createdAt()),
                event.eventId(),
                DecisionPayload.agentKeyId(draft),
                EventColumns.kind(event.kind()),
                row.signingKey(),
                DecisionPayload.allowed(draft),
                EventColumns.hash(event.hash()),
                EventColumns.hash(event.payloadHash()),
                EventColumns.signature(event.signature()),
                event.payload());
    }

    private void ips(IpsVersion version) {
        rows.put(
                Table.IPS_VERSION,
                user,
                version.version(),
                CanonicalForm.writeStored(IpsDocument.toSigned(version.ips())),
                Timestamps.column(version.createdAt()));
    }

    private void portfolio(Portfolio portfolio) {
        rows.put(
                Table.PORTFOLIO_REVISION,
                user,
                portfolio.revision(),
                Timestamps.column(portfolio.asOf()),
                LocalDate.ofInstant(portfolio.asOf(), ZoneOffset.UTC),
                portfolio.total().toString(),
                portfolio.peak().toString(),
                CanonicalForm.writeStored(Portfolio.STORED.write(portfolio)));
    }

    private void connections(CustodianConnections connections) {
        rows.put(Table.CONNECTIONS, user, CanonicalForm.writeStored(CustodianConnections.STORED.write(connections)));
    }

    private void passkeys(OwnerPasskeys passkeys) {
        ScheduledIps scheduled = passkeys.protection().scheduled();
        rows.put(
                Table.PASSKEYS,
                user,
                CanonicalForm.writeStored(OwnerPasskeys.STORED.write(passkeys)),
                scheduled == null ? null : Timestamps.column(scheduled.effectiveAt()));
    }

    private void written(OwnerWrites today) {
        rows.put(Table.OWNER_WRITES, user, today.day(), today.ipsVersions(), today.ipsBytes(), today.holdings());
    }

    private void flows(FlowCounts flows) {
        rows.put(
                Table.FLOWS,
                user,
                flows.isNothing() ? null : CanonicalForm.writeStored(FlowCounts.STORED.write(flows)));
    }

    private void key(AgentKey key) {
        EndingSecret previous = key.previous();
        ConnectedClient client = key.client();
        rows.put(
                Table.AGENT_KEY,
                user,
                key.id().value(),
                key.name(),
                key.type().wireName(),
                key.scopes().stream().sorted().map(scope -> scope.wireName()).collect(Collectors.joining(" ")),
                CanonicalForm.writeStored(KeyPolicy.SCHEMA.write(key.policy())),
                key.policy().isPaused(),
                key.networks().stream().map(NetworkRange::toString).collect(Collectors.joining(" ")),
                key.credentialHash(),
                previous == null ? null : previous.credentialHash(),
                Timestamps.columnOrNull(previous == null ? null : previous.endsAt()),
                key.last4(),
                Timestamps.column(key.createdAt()),
                Timestamps.columnOrNull(key.expiresAt()),
                Timestamps.columnOrNull(key.rotatedAt()),
                Timestamps.columnOrNull(key.revokedAt()),
                client == null ? null : client.id(),
                client == null ? null : client.host());
    }

    /** Adds what a key has used. */
    public static void tally(RowBuffer rows, UUID user, AgentKeyId key, Tally tally) {
        rows.put(
                Table.TALLY,
                user,
                key.value(),
                tally.day(),
                tally.calls(),
                tally.usd().toString(),
                tally.pendingBuys().toString(),
                tally.completedBuys().toString(),
                tally.completedSells().toString(),
                tally.pending());
    }

    private void request(ServiceRequest request) {
        OrderAttempt order = request.fold(Pending::order, completed -> null, rejected -> null);
        Instant acceptedAt = order == null ? null : order.acceptedAt();
        rows.put(
                Table.SERVICE_REQUEST,
                user,
                request.id(),
                request.status().wireName(),
                Timestamps.column(request.proposal().createdAt()),
                Timestamps.column(request.proposal().expiresAt()),
                Timestamps.columnOrNull(acceptedAt),
                Timestamps.columnOrNull(order == null ? null : order.sweptFrom()),
                CanonicalForm.writeStored(RequestDocument.toStored(request)),
                request.proposal().agentKeyId().value(),
                request.fold(pending -> pending.attempts() > 0, completed -> true, rejected -> rejected.attempts() > 0),
                Timestamps.columnOrNull(request.unsignedAt()));
    }

    private void fill(RecordedFill recorded, long place) {
        rows.put(
                Table.CUSTODIAN_FILL,
                user,
                recorded.fill().custodian(),
                recorded.fill().id(),
                recorded.requestId(),
                place,
                recorded.fill().symbol().value(),
                CanonicalForm.writeStored(RecordedFill.STORED.write(recorded)));
    }

    private void replay(Replay replay) {
        rows.put(
                Table.IDEMPOTENCY,
                user,
                replay.key().agentKeyId().value(),
                replay.key().value(),
                replay.requestId(),
                replay.askedHash(),
                Timestamps.column(replay.createdAt()));
    }

    /**
     * An event with its place, hash and signature, and the draft that it was made of.
     *
     * @param signingKey the number of its key
     */
    public record SealedEvent(EventDraft draft, PolicyEvent event, short signingKey) {}
}
