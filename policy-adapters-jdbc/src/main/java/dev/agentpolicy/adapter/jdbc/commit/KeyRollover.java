package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.Outcome;

/** The change that changes nothing but the key of the chain, for chains that do not grow by themselves. */
final class KeyRollover implements Change<Boolean> {

    @Override
    public Outcome<Boolean> apply(Account account) {
        return Outcome.nothing(true);
    }
}
