// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.power.Energy;
import dev.lockstep.power.EnergyIntegrator;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.Part.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The energy of parts, from the windows in which they were measured and the power meanwhile:
 *
 * <pre>
 * E_window = energy of the window, less P_idle * T where idle power is taken away
 * E_call   = E_window / executions in the window
 * E        = sum over parts of E_call * calls
 * </pre>
 *
 * @param rows parts with windows, most energy first
 * @param joules of all calls of all parts whose energy is known
 * @param uncertainty of {@code joules}, if all errors at the ends of windows had one sign
 * @param idleWatts what was taken away, 0 for nothing
 * @param period time between samples of power in s, the longest of all domains; NaN when it cannot be told
 * @param unmeasured parts whose energy is not known
 */
public record PartsEnergy(
        List<Row> rows, double joules, double uncertainty, double idleWatts, double period, long unmeasured) {
    /** Fewer samples in a window tell little. */
    static final int ENOUGH_SAMPLES = 20;

    private static final double HALF = 0.5;
    private static final double MS_PER_S = 1e3;
    private static final double SPARE = 1.2;
    private static final double ROUND_MS = 50;

    public PartsEnergy {
        rows = List.copyOf(rows);
    }

    /**
     * A part and its energy.
     *
     * @param window the energy of its window
     * @param perCall of one execution, in J
     * @param errorPerCall bound of the error of {@code perCall}
     */
    public record Row(Part part, Energy window, double perCall, double errorPerCall) {
        /** Of all its calls, in J. */
        public double all() {
            return perCall * part.calls();
        }
    }

    /**
     * The energy of these parts.
     *
     * @param series power by domain; domains are added up
     * @param idleWatts to be taken away, 0 for nothing
     */
    public static PartsEnergy of(MeasuredParts isolated, List<PowerSeries> series, double idleWatts) {
        List<EnergyIntegrator> integrators =
                series.stream().map(EnergyIntegrator::new).toList();
        List<Row> rows = new ArrayList<>();
        double joules = 0;
        double uncertainty = 0;
        long unmeasured = 0;
        for (Part part : isolated.parts()) {
            Row row = row(part, integrators, idleWatts);
            if (row == null || Double.isNaN(row.perCall)) {
                unmeasured++;
            } else {
                rows.add(row);
                joules += row.all();
                uncertainty += row.errorPerCall * part.calls();
            }
        }
        rows.sort(Comparator.comparingDouble(Row::all).reversed().thenComparing(row -> row.part.name()));
        double period = series.stream()
                .mapToDouble(PowerSeries::period)
                .filter(seconds -> seconds > 0)
                .max()
                .orElse(Double.NaN);
        return new PartsEnergy(rows, joules, uncertainty, idleWatts, period, unmeasured);
    }

    private static @Nullable Row row(Part part, List<EnergyIntegrator> integrators, double idleWatts) {
        Window window = part.window();
        double executed = part.executed();
        if (window == null || !(executed > 0)) {
            return null;
        }
        Energy energy = energy(integrators, window);
        if (energy == null) {
            return null;
        }
        Energy dynamic = energy.without(idleWatts);
        return new Row(part, dynamic, dynamic.joules() / executed, dynamic.uncertainty() / executed);
    }

    /** The energy of a window, all domains together; null without domains. */
    public static @Nullable Energy energy(List<EnergyIntegrator> integrators, Window window) {
        Energy sum = null;
        for (EnergyIntegrator integrator : integrators) {
            Energy one = integrator.of(window.start(), window.end());
            sum = sum == null ? one : sum.plus(one);
        }
        return sum;
    }

    /** Parts that ran in less than half of their window: the rest of it, between executions, is in their energy. */
    long idling() {
        return rows.stream().filter(row -> row.part.busy() < HALF).count();
    }

    /** Windows with too few samples to tell much. */
    long sparse() {
        return rows.stream()
                .filter(row -> row.window.samples() < ENOUGH_SAMPLES)
                .count();
    }

    /** A length of windows that hold enough samples, in ms, with something to spare. */
    long enoughMs() {
        double ms = SPARE * (ENOUGH_SAMPLES + 1) * (Double.isNaN(period) ? 1 : period) * MS_PER_S;
        return (long) (Math.ceil(ms / ROUND_MS) * ROUND_MS);
    }
}
