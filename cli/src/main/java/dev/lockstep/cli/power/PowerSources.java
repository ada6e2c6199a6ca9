// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.power;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.power.PowerSource;
import dev.lockstep.power.SysfsPower;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The sources of power of this machine. */
public final class PowerSources {
    /** What can be asked for, besides {@code auto}. */
    public static final List<String> NAMES = List.of("nvml", "nvidia-smi", "amd-smi", "hwmon", "rapl");

    private static final Path POWERCAP = Path.of("/sys/class/powercap");
    private static final Path HWMON = Path.of("/sys/class/hwmon");

    private PowerSources() {}

    /**
     * The source of a name; for {@code auto} the first of devices that there is, else that of the processor.
     *
     * @param absent takes a line for each source that is not there, with the reason
     * @throws UserException when there is none, or when the name is none
     */
    public static PowerSource open(String name, List<String> absent) {
        if (!name.equals("auto") && !NAMES.contains(name)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "unknown source of power: " + name,
                    "known: auto, " + String.join(", ", NAMES));
        }
        List<String> tried = name.equals("auto") ? NAMES : List.of(name);
        for (String one : tried) {
            Optional<? extends PowerSource> source = source(one, absent);
            if (source.isPresent()) {
                return source.get();
            }
        }
        throw new UserException(
                ErrorCode.DATA_MISSING,
                "this machine does not say what power it takes: " + String.join("; ", absent),
                "A log of another meter can be joined as well: lockstep replay energy --power FILE.csv.");
    }

    private static Optional<? extends PowerSource> source(String name, List<String> absent) {
        try {
            Optional<? extends PowerSource> found = switch (name) {
                case "nvml" -> NvmlPower.open();
                case "nvidia-smi" -> ProgramPower.nvidia();
                case "amd-smi" -> ProgramPower.amd();
                case "hwmon" -> some(SysfsPower.hwmon(HWMON));
                default -> some(SysfsPower.rapl(POWERCAP));
            };
            if (found.isEmpty()) {
                absent.add("no " + name);
            }
            return found;
        } catch (AccessDeniedException e) {
            absent.add(name + " may not be read (" + e.getFile() + ")");
        } catch (IOException e) {
            absent.add(name + " cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private static Optional<PowerSource> some(PowerSource source) {
        return source.domains().isEmpty() ? Optional.empty() : Optional.of(source);
    }
}
