package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.adapter.custodian.AlpacaReader.Shape;
import dev.agentpolicy.adapter.custodian.AlpacaTransport.AnswerReader;
import dev.agentpolicy.adapter.custodian.AlpacaTransport.BrokerCall;
import dev.agentpolicy.adapter.custodian.BrokerResult.Answered;
import dev.agentpolicy.adapter.custodian.BrokerResult.Declined;
import dev.agentpolicy.adapter.custodian.BrokerResult.Unreachable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One account at Alpaca. Every call is repeated as the policy of the transport says, and then answers a
 * {@link BrokerResult}; a future fails only for a bug.
 *
 * <p>Safe for threads. Never blocks; callbacks must not block either.
 */
public final class AlpacaClient {
    private static final int MAX_ORDERS_PER_PAGE = 500;
    private static final int MAX_FILLS_PER_PAGE = 100;
    /** Of one call; a caller reads on from there. */
    private static final int MAX_FILL_PAGES = 10;

    private static final int MAX_ORDER_PAGES = 20;
    /** A fill that is dated later than this after the broker's clock cannot be. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);
    /** Between the clocks of a broker and of this machine. */
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofDays(1);

    private static final int OK = 200;
    private static final int MULTIPLE_CHOICES = 300;
    private static final int NOT_FOUND = 404;
    private static final int UNPROCESSABLE = 422;

    private final AlpacaTransport transport;
    private final AlpacaCredentials credentials;

    public AlpacaClient(AlpacaTransport transport, AlpacaCredentials credentials) {
        this.transport = transport;
        this.credentials = credentials;
    }

    /** The account itself. */
    public CompletionStage<BrokerResult<AlpacaAccount>> account() {
        return get("/v2/account", AlpacaReader::account);
    }

    /** Everything the account holds, and what it owes. */
    public CompletionStage<BrokerResult<List<AlpacaPosition>>> positions() {
        return get("/v2/positions", AlpacaReader.listOf(AlpacaReader::position));
    }

    /** Everything that can be traded: more than ten thousand assets, of which the broker's list has no pages. */
    public CompletionStage<BrokerResult<List<AlpacaAsset>>> assets() {
        return get("/v2/assets?status=active", AlpacaReader.ASSETS);
    }

    /** One asset; empty when the broker does not know it. */
    public CompletionStage<BrokerResult<Optional<AlpacaAsset>>> asset(Instrument instrument) {
        return find("/v2/assets/" + encode(AlpacaSymbols.forOrder(instrument)), AlpacaReader::asset);
    }

    /** The hours of the market. */
    public CompletionStage<BrokerResult<AlpacaClock>> clock() {
        return get("/v2/clock", AlpacaReader::clock);
    }

    /** An order by the id that the broker gave; empty when it does not know it. */
    public CompletionStage<BrokerResult<Optional<AlpacaOrder>>> order(String orderId) {
        return find("/v2/orders/" + encode(orderId), AlpacaReader.orderWithId(orderId));
    }

    /** An order by the id that it was placed with; empty when the broker does not know it. */
    public CompletionStage<BrokerResult<Optional<AlpacaOrder>>> orderByClientOrderId(String clientOrderId) {
        return find(
                "/v2/orders:by_client_order_id?client_order_id=" + encode(clientOrderId),
                AlpacaReader.orderWithClientId(clientOrderId));
    }

    /**
     * The orders that are not over, the latest first, whoever placed them. An account with more than 10 000 is refused,
     * since its cash cannot be told.
     */
    public CompletionStage<BrokerResult<List<AlpacaOrder>>> openOrders() {
        return openOrders(List.of(), 1);
    }

    private CompletionStage<BrokerResult<List<AlpacaOrder>>> openOrders(List<AlpacaOrder> before, int page) {
        if (page > MAX_ORDER_PAGES) {
            return CompletableFuture.completedStage(new Declined<>(OK, "The account has too many open orders."));
        }
        String from = before.isEmpty()
                ? ""
                : "&before_order_id=" + encode(before.get(before.size() - 1).id());
        String path = "/v2/orders?status=open&nested=false&direction=desc&limit=" + MAX_ORDERS_PER_PAGE + from;
        return get(path, node -> new OrderPage(AlpacaReader.ORDERS.read(node), node.size()))
                .thenCompose(result -> result.then(read -> {
                    List<AlpacaOrder> all = new ArrayList<>(before);
                    all.addAll(read.orders());
                    return read.listed() < MAX_ORDERS_PER_PAGE
                            ? CompletableFuture.completedStage(new Answered<>(List.copyOf(all)))
                            : openOrders(all, page + 1);
                }));
    }

    /**
     * All orders, whoever placed them and however they stand, the latest first; at most 500 with one call.
     *
     * @param orderId only orders before this one, by the broker's id
     */
    CompletionStage<BrokerResult<List<AlpacaOrder>>> ordersBefore(Optional<String> orderId) {
        String from = orderId.map(id -> "&before_order_id=" + encode(id)).orElse("");
        return get(
                "/v2/orders?status=all&nested=false&direction=desc&limit=" + MAX_ORDERS_PER_PAGE + from,
                AlpacaReader.ORDERS);
    }

    /** The orders of a page, and how many the broker listed there. */
    private record OrderPage(List<AlpacaOrder> orders, int listed) {}

    /** Fills behind a cursor, the oldest first; at most 1 000 with one call. */
    public CompletionStage<BrokerResult<FillBatch>> fills(FillCursor cursor) {
        return fills(new FillBatch(List.of(), cursor, false), 1);
    }

    private CompletionStage<BrokerResult<FillBatch>> fills(FillBatch before, int page) {
        String path = "/v2/account/activities/FILL?direction=asc&page_size=" + MAX_FILLS_PER_PAGE
                + before.next().query();
        return get(path, AlpacaReader.listOf(AlpacaReader::fill))
                .thenCompose(result -> result.then(fills -> {
                    FillBatch batch = append(before, fills);
                    return batch.isComplete() || page == MAX_FILL_PAGES
                            ? CompletableFuture.completedStage(new Answered<>(batch))
                            : fills(batch, page + 1);
                }));
    }

    private static FillBatch append(FillBatch before, List<AlpacaFill> page) {
        List<AlpacaFill> all = new ArrayList<>(before.fills());
        all.addAll(page);
        FillCursor next = page.isEmpty()
                ? before.next()
                : FillCursor.after(page.get(page.size() - 1).id());
        return new FillBatch(all, next, page.size() < MAX_FILLS_PER_PAGE);
    }

    /**
     * Places an order unless the broker has it. Asks for its client order id first, and again after every doubt, so that
     * the same order can be passed any number of times, also after a crash: it exists at most once.
     *
     * @return the order as it stands at the broker, which may differ from what was placed; refused when it is not there and
     *     never will be; away when it is not known whether it is there, which another call will tell
     */
    public CompletionStage<BrokerResult<AlpacaOrder>> place(NewOrder order) {
        return new OrderPlacement(transport, credentials, this, order).run();
    }

    /**
     * Asks the broker to cancel an order. An order that is over already stays as it is.
     *
     * @param orderId given by the broker
     * @return the order as it stands afterwards; it may be open for a while, and may still be filled
     */
    public CompletionStage<BrokerResult<AlpacaOrder>> cancel(String orderId) {
        AnswerReader<String> reader = (status, body) ->
                isSuccess(status) || status == UNPROCESSABLE ? Optional.of(orderId) : Optional.empty();
        BrokerCall<String> call = new BrokerCall<>("DELETE", "/v2/orders/" + encode(orderId), null, reader);
        return transport
                .repeat(credentials, call)
                .thenCompose(asked -> asked.then(this::order))
                .thenCompose(asked -> asked.then(found ->
                        CompletableFuture.completedStage(found.<BrokerResult<AlpacaOrder>>map(Answered::new)
                                .orElseGet(() -> new Declined<>(NOT_FOUND, "There is no order " + orderId + ".")))));
    }

    /**
     * The latest time that a fill can have, by the broker's clock: a minute from now. The clock is asked only if the last
     * answer does not settle it.
     *
     * @param latest the time of the latest fill
     * @param now the local time
     */
    CompletionStage<BrokerResult<Instant>> latestTime(Instant latest, Instant now) {
        Instant known = transport.lastTime().plus(CLOCK_TOLERANCE);
        if (!latest.isAfter(known) && !known.isAfter(now.plus(CLOCK_TOLERANCE))) {
            return CompletableFuture.completedStage(new Answered<>(known));
        }
        return clock().thenApply(result -> result.<BrokerResult<Instant>>fold(
                clock -> {
                    Duration apart = Duration.between(now, clock.now()).abs();
                    if (apart.compareTo(MAX_CLOCK_DIFFERENCE) > 0) {
                        return new Unreachable<>("Alpaca's clock is at " + clock.now() + ", which cannot be.");
                    }
                    transport.heard(clock.now());
                    return new Answered<>(clock.now().plus(CLOCK_TOLERANCE));
                },
                declined -> new Declined<>(declined.status(), declined.reason()),
                unreachable -> new Unreachable<>(unreachable.reason())));
    }

    /** Equal for clients with the same key for the same Trading API. Contains no secret. */
    Object key() {
        return List.of(transport, credentials.fingerprint());
    }

    /** Completes after the pause that follows an attempt. */
    CompletionStage<Void> pause(int attempt) {
        return AlpacaTransport.after(transport.policy().pauseAfter(attempt));
    }

    private <T> CompletionStage<BrokerResult<T>> get(String path, Shape<T> shape) {
        return transport.repeat(credentials, new BrokerCall<>("GET", path, null, answer(shape)));
    }

    private <T> CompletionStage<BrokerResult<Optional<T>>> find(String path, Shape<T> shape) {
        AnswerReader<T> found = answer(shape);
        AnswerReader<Optional<T>> reader = (status, body) -> {
            if (status == NOT_FOUND && AlpacaReader.message(body).isPresent()) {
                return Optional.of(Optional.empty());
            }
            Optional<T> answer = found.read(status, body);
            return answer.isPresent() ? Optional.of(answer) : Optional.empty();
        };
        return transport.repeat(credentials, new BrokerCall<>("GET", path, null, reader));
    }

    static <T> AnswerReader<T> answer(Shape<T> shape) {
        return (status, body) ->
                isSuccess(status) ? Optional.of(shape.read(AlpacaReader.json(body))) : Optional.empty();
    }

    private static boolean isSuccess(int status) {
        return status >= OK && status < MULTIPLE_CHOICES;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
