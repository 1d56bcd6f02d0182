package dev.agentpolicy.adapter.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.account.Notice;

/** A user with an account and a session. */
public final class SignedIn {
    public static final String APP = "/api/app/v1/";
    public static final String LOGIN = "{\"email\":\"Ann@Example.org\",\"password\":\"correct horse battery\"}";
    public static final String IPS = """
            {"crypto":{"min":0.10,"target":0.20,"max":0.35},"tradfi":{"min":0.55,"target":0.65,"max":0.80},
             "cashFloor":0.05,"maxDrawdown":0.25,"maxSlippage":0.01}""";
    public static final String BOOK = """
            {"name":"My book","kind":"paper","cash":"10000","positions":[
              {"symbol":"btc","assetType":"crypto","quantity":0.2,"price":"100000"},
              {"symbol":"SPY","assetType":"tradfi","quantity":"140","price":500}],"prices":{"ETH":2500}}""";
    public static final String CONNECT =
            "{\"kind\":\"alpaca\",\"name\":\"My broker\",\"environment\":\"paper\",\"keyId\":\"key-id-1\",\"secretKey\":\"secret-1\"}";
    /** The holdings of {@link #BOOK} at a market that is closed. */
    public static final String CLOSED_BOOK = BOOK.replace("\"prices\"", "\"market\":{\"isOpen\":false},\"prices\"");

    private final TestService service;

    /** Signs the user up; where mails are sent, the address is confirmed. */
    public SignedIn(TestService service) {
        this.service = service;
        service.client().post(APP + "users", LOGIN);
        service.notices
                .of(Notice.EmailConfirmation.class)
                .forEach(mail -> service.client().post(APP + "email-confirmation/" + mail.token(), ""));
    }

    /** The user's client, with a new session. */
    public Client user() {
        String cookie = service.client().post(APP + "session", LOGIN).header("Set-Cookie");
        return service.client().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
    }

    /** Gives the user a policy, a portfolio and a key; returns the client of the agent. */
    public Client agent() {
        Client user = user();
        user.put(APP + "ips", IPS);
        user.put(APP + "custodians/main", BOOK);
        JsonNode key = user.post(
                        APP + "keys",
                        "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\",\"validate\",\"propose\"]}")
                .json();
        return service.client().withKey(key.get("key").textValue());
    }
}
