// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The words that start a trainer.
 *
 * @param launcher starts the ranks
 * @param nodes that take part, and the ranks on each
 * @param words what the user wrote behind {@code --}
 */
record TrainerCommand(Launcher launcher, LaunchNodes nodes, List<String> words) {
    private static final String SCRIPT = "train.py";
    private static final List<String> PLACES = List.of("{config}", "{output}");
    private static final Pattern PYTHON = Pattern.compile("python\\d*(\\.\\d+)*");
    private static final List<String> PROGRAM_FLAGS = List.of("-m", "--module", "--no-python", "--no_python");

    /** Adds what cannot work to {@code problems}. */
    void check(List<String> overrides, Problems problems) {
        if (launcher == Launcher.COMMAND && words.isEmpty()) {
            problems.add("--launcher command wants the command behind --");
        } else if (launcher == Launcher.DIRECT
                && !words.isEmpty()
                && words.getFirst().startsWith("-")) {
            problems.add("--launcher direct wants the trainer's command behind --, not '" + words.getFirst() + "'");
        } else if (launcher == Launcher.TORCHRUN
                && !words.isEmpty()
                && !namesProgram()
                && !words.getFirst().startsWith("-")) {
            problems.add("'" + words.getFirst() + "' is neither an option of torchrun nor a Python script");
        }
        if (hasPlaces() && !overrides.isEmpty()) {
            problems.add("--override goes behind the trainer's own --override, which a command with {output} has not");
        }
    }

    /** All words, the configuration and the overrides among them. */
    List<String> build(Path config, String output, Overrides overrides) {
        List<String> line = new ArrayList<>(start());
        if (hasPlaces()) {
            line.replaceAll(word -> word.replace("{config}", config.toString()).replace("{output}", output));
            return line;
        }
        line.add("--config");
        line.add(config.toString());
        line.add("--override");
        line.addAll(overrides.list(output));
        return line;
    }

    private List<String> start() {
        List<String> line = new ArrayList<>();
        switch (launcher) {
            case TORCHRUN -> {
                line.add("torchrun");
                line.addAll(nodes.torchrun());
                line.addAll(words);
                if (!namesProgram()) {
                    line.add(SCRIPT);
                }
            }
            case DIRECT -> {
                if (words.isEmpty() || words.getFirst().endsWith(".py")) {
                    line.add("python3");
                }
                line.addAll(words.isEmpty() ? List.of(SCRIPT) : words);
            }
            case COMMAND -> line.addAll(words);
        }
        return line;
    }

    /** The Python script among the words, or null. Where another program is given them, only what is there is one. */
    @Nullable
    String script() {
        List<String> line = start();
        boolean torchrun = launcher == Launcher.TORCHRUN && words.stream().noneMatch(PROGRAM_FLAGS::contains);
        for (int i = 0; i < line.size(); i++) {
            String word = line.get(i);
            boolean surely = torchrun || i == 1 && isPython(line.getFirst());
            if (word.endsWith(".py") && (surely || Files.isRegularFile(Path.of(word)))) {
                return word;
            }
        }
        return null;
    }

    /** The Python that runs the trainer, as far as the words say. */
    String python() {
        String first = start().getFirst();
        return isPython(first) ? first : "python3";
    }

    /** Whether the program is called as Python is; what is only called similarly may do anything when it is started. */
    private static boolean isPython(String program) {
        return PYTHON.matcher(String.valueOf(Path.of(program).getFileName())).matches();
    }

    /** Processes that Lockstep starts for a run. */
    int started() {
        return launcher == Launcher.DIRECT ? nodes.processes() : 1;
    }

    private boolean namesProgram() {
        return words.stream().anyMatch(word -> word.endsWith(".py") || PROGRAM_FLAGS.contains(word));
    }

    private boolean hasPlaces() {
        return words.stream().anyMatch(word -> PLACES.stream().anyMatch(word::contains));
    }
}
