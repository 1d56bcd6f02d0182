package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.quantity.Usd;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads stored revisions of a portfolio, with decimals as text. */
public final class PortfolioDocument {

    private PortfolioDocument() {}

    /** The members of a revision. */
    public static Map<String, @Nullable Object> toStored(Portfolio portfolio) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("revision", portfolio.revision());
        members.put("holdingsRevision", portfolio.holdingsRevision());
        members.put("peak", Decimals.text(portfolio.peak().value()));
        members.put("asOf", Instants.format(portfolio.asOf()));
        members.put(
                "custodians",
                portfolio.custodians().stream().map(HoldingsDocument::toStored).toList());
        return members;
    }

    /** Reads what {@link #toStored} wrote. */
    public static Portfolio readStored(Stored stored) {
        long revision = stored.integer("revision");
        return new Portfolio(
                revision,
                stored.objects("custodians", HoldingsDocument::readStored),
                new Usd(stored.decimal("peak")),
                stored.instant("asOf"),
                stored.has("holdingsRevision") ? stored.integer("holdingsRevision") : revision);
    }
}
