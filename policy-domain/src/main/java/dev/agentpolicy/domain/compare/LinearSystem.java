package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.quantity.Exact;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Linear inequalities over variables that are 0 or more, solved exactly. Immutable.
 *
 * <p>The solver is the criss-cross method of Terlaky ("A convergent criss-cross method", 1985) with the least index,
 * which ends for every system and needs no first phase. The tableau has integers over one common denominator (Edmonds),
 * so nothing is rounded and no fraction is ever reduced.
 */
final class LinearSystem {
    private final int variables;
    private final List<Inequality> rows;
    private final Work work;

    private LinearSystem(int variables, List<Inequality> rows, Work work) {
        this.variables = variables;
        this.rows = rows;
        this.work = work;
    }

    /** The system without inequalities. */
    static LinearSystem of(int variables, Work work) {
        return new LinearSystem(variables, List.of(), work);
    }

    /**
     * An inequality: the sum of the factors times their variables, and the constant, is at least 0, or above 0 if it is
     * strict.
     */
    record Inequality(List<BigDecimal> factors, BigDecimal constant, boolean isStrict) {
        Inequality {
            factors = List.copyOf(factors);
        }

        static Inequality zero(int variables) {
            return new Inequality(Collections.nCopies(variables, BigDecimal.ZERO), BigDecimal.ZERO, false);
        }

        /** This row with a number added to the factors of some variables. */
        Inequality plus(BigDecimal factor, List<Integer> of) {
            List<BigDecimal> next = new ArrayList<>(factors);
            for (int variable : of) {
                next.set(variable, Exact.normalised(next.get(variable).add(factor)));
            }
            return new Inequality(next, constant, isStrict);
        }

        Inequality plus(BigDecimal number) {
            return new Inequality(factors, Exact.normalised(constant.add(number)), isStrict);
        }

        Inequality strict() {
            return new Inequality(factors, constant, true);
        }

        Inequality lenient() {
            return new Inequality(factors, constant, false);
        }

        /** The opposite: below 0 in place of at least 0. */
        Inequality negated() {
            return new Inequality(factors.stream().map(BigDecimal::negate).toList(), constant.negate(), !isStrict);
        }

        /** Whether this row holds wherever another one does, since all variables are 0 or more. */
        boolean follows(Inequality other) {
            for (int i = 0; i < factors.size(); i++) {
                if (factors.get(i).compareTo(other.factors.get(i)) < 0) {
                    return false;
                }
            }
            return constant.compareTo(other.constant) >= 0 && (other.isStrict || !isStrict);
        }
    }

    /**
     * The values of a variable.
     *
     * @param low the least or the limit of the least ones
     * @param high likewise of the greatest; null when there is none
     */
    record Range(Ratio low, @Nullable Ratio high) {}

    LinearSystem and(Inequality row) {
        List<Inequality> next = new ArrayList<>(rows);
        next.add(row);
        return new LinearSystem(variables, next, work);
    }

    LinearSystem and(List<Inequality> more) {
        List<Inequality> next = new ArrayList<>(rows);
        next.addAll(more);
        return new LinearSystem(variables, next, work);
    }

    /** This system where a sum is also at most 0, so exactly 0 if the row holds already. */
    LinearSystem andEqual(Inequality row) {
        return and(row).and(row.negated().lenient());
    }

    List<Inequality> rows() {
        return rows;
    }

    /** Whether some values satisfy all inequalities. */
    boolean isSolvable() {
        Inequality margin = Inequality.zero(variables + 1).plus(BigDecimal.ONE, List.of(variables));
        Tableau tableau = new Tableau(variables + 1);
        for (Inequality row : rows) {
            List<BigDecimal> factors = new ArrayList<>(row.factors);
            factors.add(row.isStrict ? BigDecimal.ONE.negate() : BigDecimal.ZERO);
            tableau.add(new Inequality(factors, row.constant, false));
        }
        // The greatest margin of the strict inequalities, at most 1.
        tableau.add(margin.negated().plus(BigDecimal.ONE).lenient());
        return tableau.maximize(margin) && tableau.value().compareTo(Ratio.ZERO) > 0;
    }

    /** The values of the sum of a row, which are 0 or more, in a system that is solvable. */
    Range range(Inequality sum) {
        Tableau low = filled();
        low.maximize(sum.negated());
        Tableau high = filled();
        boolean isBounded = high.maximize(sum);
        return new Range(low.value().negated(), isBounded ? high.value() : null);
    }

    private Tableau filled() {
        Tableau tableau = new Tableau(variables);
        rows.forEach(tableau::add);
        return tableau;
    }

    /** A bound on the steps and the time of a comparison. Once it is reached, nothing more can be done. */
    static final class Work {
        private final BooleanSupplier isLate;
        private long left;

        /** @param isLate whether the time is over */
        Work(long steps, BooleanSupplier isLate) {
            this.left = steps;
            this.isLate = isLate;
        }

        /** @throws TooMuchWork when none of the steps are left, or no time */
        void use(long steps) {
            left = left < steps || isLate.getAsBoolean() ? -1 : left - steps;
            if (left < 0) {
                throw new TooMuchWork();
            }
        }
    }

    /** The bound on the steps or the time of a comparison was reached. */
    static final class TooMuchWork extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooMuchWork() {
            super("The comparison takes too much.", null, false, false);
        }
    }

    /** Rows are basic variables, which are slacks at first; the last row is the objective, the last column the values. */
    private final class Tableau {
        private final int columns;
        private final List<BigInteger[]> body = new ArrayList<>();
        private BigInteger denominator = BigInteger.ONE;
        private int objectiveScale;

        Tableau(int columns) {
            this.columns = columns;
        }

        /** Adds a row in whole numbers, and returns by which power of 10 these are too large. */
        int add(Inequality row) {
            int scale = row.constant.scale();
            for (BigDecimal factor : row.factors) {
                scale = Math.max(scale, factor.scale());
            }
            BigInteger[] line = new BigInteger[columns + 1];
            for (int i = 0; i < columns; i++) {
                line[i] = row.factors
                        .get(i)
                        .movePointRight(scale)
                        .toBigIntegerExact()
                        .negate();
            }
            line[columns] = row.constant.movePointRight(scale).toBigIntegerExact();
            body.add(line);
            return scale;
        }

        /** Maximizes the sum of a row; false if there is no solution or no bound. */
        boolean maximize(Inequality sum) {
            objectiveScale = add(sum);
            BigInteger[] objective = body.get(body.size() - 1);
            int last = body.size() - 1;
            int[] basic = new int[last];
            int[] other = new int[columns];
            Arrays.setAll(basic, row -> columns + row);
            Arrays.setAll(other, column -> column);
            while (true) {
                work.use((long) columns * last);
                int row = least(basic, last, at -> body.get(at)[columns].signum() < 0);
                int column = least(other, columns, at -> objective[at].signum() < 0);
                if (row < 0 && column < 0) {
                    return true;
                }
                if (column < 0 || row >= 0 && basic[row] < other[column]) {
                    BigInteger[] line = body.get(row);
                    column = least(other, columns, at -> line[at].signum() < 0);
                } else {
                    int entering = column;
                    row = least(basic, last, at -> body.get(at)[entering].signum() > 0);
                }
                if (row < 0 || column < 0) {
                    return false;
                }
                pivot(row, column);
                int leaving = basic[row];
                basic[row] = other[column];
                other[column] = leaving;
            }
        }

        /** The place of the variable of least index among those that pass; -1 for none. */
        private int least(int[] variables, int count, IntPredicate passes) {
            int found = -1;
            for (int at = 0; at < count; at++) {
                if ((found < 0 || variables[at] < variables[found]) && passes.test(at)) {
                    found = at;
                }
            }
            return found;
        }

        private void pivot(int row, int column) {
            BigInteger[] line = body.get(row);
            BigInteger pivot = line[column];
            for (int i = 0; i < body.size(); i++) {
                BigInteger[] at = body.get(i);
                BigInteger factor = at[column];
                if (i == row) {
                    continue;
                }
                for (int j = 0; j <= columns; j++) {
                    if (j != column) {
                        BigInteger product = at[j].multiply(pivot);
                        at[j] = (factor.signum() == 0 || line[j].signum() == 0
                                        ? product
                                        : product.subtract(factor.multiply(line[j])))
                                .divide(denominator);
                    }
                }
                at[column] = factor.negate();
            }
            line[column] = denominator;
            denominator = pivot;
            if (denominator.signum() < 0) {
                denominator = denominator.negate();
                for (BigInteger[] at : body) {
                    Arrays.setAll(at, j -> at[j].negate());
                }
            }
        }

        /** The greatest value that was found. */
        Ratio value() {
            return new Ratio(
                    body.get(body.size() - 1)[columns], denominator.multiply(BigInteger.TEN.pow(objectiveScale)));
        }
    }
}
