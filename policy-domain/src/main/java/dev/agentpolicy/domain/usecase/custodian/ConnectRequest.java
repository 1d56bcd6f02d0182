package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;

/**
 * What a user gives to connect an account at a broker.
 *
 * @param kind the kind of broker
 * @param name for people
 * @param credentials the key of the account
 */
public record ConnectRequest(CustodianKind kind, String name, BrokerCredentials credentials) {
    private static final int MAX_CREDENTIAL = 200;

    /** Reads what a user sent, or lists everything that is wrong with it. No message repeats a credential. */
    public static Reading<ConnectRequest> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        CustodianKind kind = fields.word("kind", new CustodianKind[] {CustodianKind.ALPACA}, CustodianKind::wireName);
        String name = fields.plainText("name", 1, HoldingsDocument.MAX_NAME);
        BrokerEnvironment environment = fields.word("environment", BrokerEnvironment.class);
        String keyId = fields.plainText("keyId", 1, MAX_CREDENTIAL);
        String secretKey = fields.plainText("secretKey", 1, MAX_CREDENTIAL);
        fields.require("kind", "name", "environment", "keyId", "secretKey");
        return fields.finish(() -> new ConnectRequest(
                Fields.present(kind),
                Fields.present(name),
                new BrokerCredentials(Fields.present(environment), Fields.present(keyId), Fields.present(secretKey))));
    }
}
