package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.HomeJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.json.RehearsalJson;
import dev.agentpolicy.adapter.http.json.RequestJson;
import dev.agentpolicy.adapter.http.json.UserJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Downloads;
import dev.agentpolicy.adapter.http.wire.Downloads.FileHead;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageWithSignedHead;
import dev.agentpolicy.domain.usecase.agent.ReadState.AccountHoldings;
import dev.agentpolicy.domain.usecase.policy.ReadHome.Home;
import dev.agentpolicy.domain.usecase.request.ReadRequests;
import dev.agentpolicy.domain.usecase.request.ReadRequests.RequestPage;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Demanded;
import dev.agentpolicy.domain.usecase.signin.ManageProfile.Profile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers calls about the account as a whole: how it stands, what it holds, its export and its deletion. */
record AccountEndpoints(AppUseCases useCases, Downloads downloads, SessionGate gate, InstantSource clock) {
    /** Days of the portfolio that can be asked for. */
    static final int MAX_DAYS = 366;

    private static final int DEFAULT_DAYS = 30;
    private static final FileHead EXPORT = new FileHead("agent-policy-account.json", "application/json");

    void home(AppCall call) {
        Home home = useCases.readHome().read(call.user());
        call.answer(out -> HomeJson.write(out, home));
    }

    void holdings(AppCall call) {
        AccountHoldings holdings = useCases.readState().holdings(call.user());
        call.answer(out -> HoldingsJson.write(out, holdings));
    }

    void history(AppCall call) {
        int days = call.query().integer("days", 1, MAX_DAYS, DEFAULT_DAYS);
        List<PortfolioDay> history = useCases.readState().history(call.user(), days);
        call.answer(out -> out.array("days", history, HoldingsJson::day));
    }

    void beginPeak(AppCall call) {
        Confirmation confirmation =
                Body.readOptional(call.ctx(), body -> confirmation(body, CallHash.of(call.ctx(), body)));
        call.answer(200, useCases.beginPeak().begin(gate.browser(call), confirmation), IpsJson::write);
    }

    private static Reading<Confirmation> confirmation(Document sent, String call) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Confirmation confirmation = Confirmation.read(fields, call);
        return fields.finish(() -> confirmation);
    }

    void export(AppCall call) {
        AccountExport export = new AccountExport(useCases, call.user(), call.session(), clock.instant());
        downloads.send(call.ctx(), call.user(), EXPORT, export::write);
    }

    void delete(AppCall call) {
        Confirmation confirmation =
                Body.read(call.ctx(), body -> Confirmation.readRequired(body, CallHash.of(call.ctx(), body)));
        call.answerNothing(useCases.deleteAccount().delete(gate.browser(call), confirmation));
    }

    /**
     * The account of a user as one JSON object that is written while it is read (docs/reference/app-api.md, The export).
     * Versions of the policy, requests and events are read in pages, so that an account of any size needs the memory of one page.
     *
     * @param session the hash of the token of the session that asks
     * @param now decides which connections are stale
     */
    private record AccountExport(AppUseCases useCases, UserId user, String session, Instant now) {
        private static final EventQuery ALL_EVENTS = new EventQuery(
                EventQuery.MAX_LIMIT, Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty());

        void write(Writer out) {
            JsonWriter.object(out, all -> {
                Demanded demanded = useCases.managePasskeys().demanded(user);
                Profile profile = useCases.manageProfile().read(user);
                all.object("account", profile, (account, it) -> UserJson.profile(account, it, demanded))
                        .array("sessions", useCases.manageSessions().list(user, session), UserJson::session)
                        .array("passkeys", demanded.passkeys().all(), UserJson::passkey)
                        .array("viewers", useCases.manageViewers().list(user), UserJson::viewer)
                        .array("ipsVersions", ipsVersions(), IpsJson::write);
                RehearsalJson.write(all, useCases.testIps().tests(user));
                all.array("keys", useCases.issueKeys().list(user), KeyJson::write)
                        .array(
                                "custodians",
                                useCases.connectCustodian().list(user),
                                (each, custodian) -> HoldingsJson.write(each, custodian, now))
                        .object("portfolio", useCases.readState().holdings(user), HoldingsJson::write)
                        .array("portfolioDays", useCases.readState().history(user, MAX_DAYS), HoldingsJson::day)
                        .object("usage", useCases.readUsage().report(user, UsageReport.MAX_DAYS), KeyJson::write)
                        .array("requests", requests(), RequestJson::write);
                EventPages pages = new EventPages();
                all.rawItems("events", pages.rows())
                        .rawItems("erasures", pages.erasures.stream())
                        .raw("head", AuditJson.head(pages.head()));
            });
        }

        private Stream<IpsVersion> ipsVersions() {
            return Stream.iterate(
                            ipsVersions(Integer.MAX_VALUE),
                            page -> !page.isEmpty(),
                            page -> ipsVersions(page.get(page.size() - 1).version()))
                    .flatMap(List::stream);
        }

        private List<IpsVersion> ipsVersions(int before) {
            return useCases.readState().ipsVersions(user, before, PolicyEndpoints.MAX_DOCUMENTS);
        }

        private Stream<ServiceRequest> requests() {
            return Stream.iterate(
                            Optional.of(requests(null)),
                            Optional::isPresent,
                            page -> page.map(RequestPage::next).map(this::requests))
                    .flatMap(page -> page.orElseThrow().requests().stream());
        }

        private RequestPage requests(@Nullable Long before) {
            return useCases.readRequests().page(user, null, before, ReadRequests.MAX_LIMIT);
        }

        /** Reads the chain page by page, as it was signed, and keeps what is said beside its rows. */
        private final class EventPages {
            private final Set<String> erasures = new LinkedHashSet<>();
            private @Nullable SignedHead head;

            /** The rows of each page as JSON text, separated by commas. */
            Stream<String> rows() {
                return Stream.iterate(
                                Optional.of(read(ALL_EVENTS)),
                                Optional::isPresent,
                                page -> page.map(it -> it.page().nextCursor())
                                        .flatMap(ALL_EVENTS::after)
                                        .map(this::read))
                        .map(page -> new String(page.orElseThrow().page().rows(), StandardCharsets.UTF_8));
            }

            private PageWithSignedHead read(EventQuery query) {
                PageWithSignedHead read = useCases.readEvents().read(user, query);
                erasures.add(read.page().erasures());
                head = read.head();
                return read;
            }

            /** The head of the last page; it names the last row that was read. */
            SignedHead head() {
                if (head == null) {
                    throw new IllegalStateException("No page was read.");
                }
                return head;
            }
        }
    }
}
