// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.power;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.power.PowerSource;
import dev.lockstep.power.PowerUnits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Power by the vendors' programs: {@code nvidia-smi} (one process that goes on writing), {@code amd-smi} and {@code rocm-smi}
 * (one process for each reading). Slower than a library; for machines where that is missing.
 */
public final class ProgramPower implements PowerSource {
    private static final Pattern WATTS = Pattern.compile("(\\d+(?:\\.\\d+)?)");
    private static final int LONGEST_ANSWER_S = 10;
    private static final int NVIDIA_PERIOD_MS = 20;

    private final String name;
    private final List<String> command;
    private final List<Domain> domains;
    private final @Nullable Process process;
    private final Map<String, Double> latest = new TreeMap<>();

    private ProgramPower(
            String name,
            List<String> command,
            Map<String, Double> first,
            Map<String, String> buses,
            @Nullable Process process) {
        this.name = name;
        this.command = command;
        this.process = process;
        this.domains = first.keySet().stream()
                .map(device -> new Domain("gpu" + device, name + " " + device, false, buses.getOrDefault(device, "")))
                .toList();
        latest.putAll(first);
    }

    /** NVIDIA's program; empty where it is missing or knows no device. */
    static Optional<ProgramPower> nvidia() {
        List<String> once = List.of("nvidia-smi", "--query-gpu=index,power.draw", "--format=csv,noheader,nounits");
        Map<String, Double> first = lines(answer(once));
        if (first.isEmpty()) {
            return Optional.empty();
        }
        List<String> always = new ArrayList<>(once);
        always.add("-lms");
        always.add(Integer.toString(NVIDIA_PERIOD_MS));
        try {
            Process process = new ProcessBuilder(always)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            ProgramPower source = new ProgramPower(
                    "nvidia-smi",
                    once,
                    first,
                    buses(answer(List.of("nvidia-smi", "--query-gpu=index,pci.bus_id", "--format=csv,noheader"))),
                    process);
            Thread reader = new Thread(source::follow, "lockstep-power");
            reader.setDaemon(true);
            reader.start();
            return Optional.of(source);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** AMD's programs; empty where they are missing or know no device. */
    static Optional<ProgramPower> amd() {
        for (List<String> command : List.of(
                List.of("amd-smi", "metric", "--power", "--json"), List.of("rocm-smi", "--showpower", "--json"))) {
            Map<String, Double> first = amd(answer(command));
            if (!first.isEmpty()) {
                return Optional.of(new ProgramPower(
                        command.getFirst(),
                        command,
                        first,
                        amdBuses(answer(List.of("amd-smi", "list", "--json"))),
                        null));
            }
        }
        return Optional.empty();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Domain> domains() {
        return domains;
    }

    @Override
    public List<Reading> read() {
        if (process == null) {
            Map<String, Double> now = amd(answer(command));
            synchronized (latest) {
                latest.keySet().forEach(device -> latest.put(device, now.getOrDefault(device, Double.NaN)));
            }
        }
        synchronized (latest) {
            return latest.values().stream()
                    .map(watts -> new Reading(watts, Double.NaN))
                    .toList();
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroy();
        }
    }

    private void follow() {
        if (process == null) {
            return;
        }
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Map<String, Double> one = lines(line);
                synchronized (latest) {
                    one.forEach((device, watts) -> latest.computeIfPresent(device, (d, w) -> watts));
                }
            }
        } catch (IOException e) {
            // the program was ended
        }
    }

    /** Lines of device and watts; what is no number is left out. */
    static Map<String, Double> lines(String text) {
        Map<String, Double> found = new TreeMap<>();
        for (String line : text.split("\n")) {
            String[] cells = line.split(",", -1);
            if (cells.length >= 2 && cells[0].strip().matches("\\d+")) {
                try {
                    found.put(cells[0].strip(), Double.parseDouble(cells[1].strip()));
                } catch (NumberFormatException e) {
                    found.put(cells[0].strip(), Double.NaN);
                }
            }
        }
        return found;
    }

    /** Lines of device and address on the bus. */
    static Map<String, String> buses(String text) {
        Map<String, String> found = new TreeMap<>();
        for (String line : text.split("\n")) {
            String[] cells = line.split(",", -1);
            if (cells.length == 2 && cells[0].strip().matches("\\d+")) {
                found.put(cells[0].strip(), cells[1].strip());
            }
        }
        return found;
    }

    /** What {@code amd-smi list} says, a list of devices with {@code bdf}. */
    static Map<String, String> amdBuses(String text) {
        Map<String, String> found = new TreeMap<>();
        try {
            if (Json.parse(text.isBlank() ? "null" : text) instanceof Json.Items(List<Json> devices)) {
                for (Json item : devices) {
                    if (item instanceof Members device && device.text("bdf") != null) {
                        found.put(Long.toString(device.whole("gpu", -1)), Objects.requireNonNull(device.text("bdf")));
                    }
                }
            }
        } catch (IOException e) {
            return found; // addresses are not known
        }
        return found;
    }

    /** The JSON of {@code amd-smi} (a list of devices with {@code power}) or {@code rocm-smi} (an object of cards). */
    static Map<String, Double> amd(String text) {
        Map<String, Double> found = new TreeMap<>();
        Json document;
        try {
            document = Json.parse(text.isBlank() ? "null" : text);
        } catch (IOException e) {
            return found;
        }
        if (document instanceof Members top) {
            top.members().forEach((card, value) -> {
                if (card.startsWith("card") && value instanceof Members fields) {
                    double watts = rocm(fields);
                    if (!Double.isNaN(watts)) {
                        found.put(card.substring("card".length()), watts);
                    }
                }
            });
        }
        List<Json> devices = document instanceof Json.Items(List<Json> items)
                ? items
                : document instanceof Members object ? object.items("gpu_data") : List.of();
        for (Json item : devices) {
            if (item instanceof Members device && device.whole("gpu", -1) >= 0) {
                Members power = device.object("power");
                double watts = Double.NaN;
                for (String field : List.of("socket_power", "current_socket_power", "average_socket_power")) {
                    watts = Double.isNaN(watts) ? amount(power.get(field)) : watts;
                }
                found.put(Long.toString(device.whole("gpu", 0)), watts);
            }
        }
        return found;
    }

    private static double rocm(Members fields) {
        for (Map.Entry<String, Json> field : fields.members().entrySet()) {
            if (field.getKey().toLowerCase(Locale.ROOT).contains("power (w)")) {
                return amount(field.getValue());
            }
        }
        return Double.NaN;
    }

    /** A number, a text that begins with one, or an object with a {@code value}. */
    private static double amount(@Nullable Json value) {
        return switch (value) {
            case Json.Numeral numeral -> numeral.value();
            case Json.Text(String text) -> {
                Matcher number = WATTS.matcher(text);
                yield number.find() ? Double.parseDouble(number.group(1)) : Double.NaN;
            }
            case Members object ->
                object.number("value") * PowerUnits.of(Objects.requireNonNullElse(object.text("unit"), ""), 1);
            case null, default -> Double.NaN;
        };
    }

    private static String answer(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LONGEST_ANSWER_S, TimeUnit.SECONDS)) {
                process.destroy();
            }
            return text;
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
