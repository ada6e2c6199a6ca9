// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.OtherFormats;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chooses one file for each rank, before anything but the beginnings of files is read. */
final class RankFiles {
    private static final Pattern STATED =
            Pattern.compile("\"distributedInfo\"\\s*:\\s*\\{[^}]{0,400}?\"rank\"\\s*:\\s*(\\d{1,7})\\b");
    private static final int MOST_LISTED = 6;

    private RankFiles() {}

    /** The files that are meant, in an order that does not depend on how they were given. */
    static List<Path> choose(List<Path> files, RankSelection selection) {
        List<Path> wanted = files.stream()
                .distinct()
                .filter(selection::admits)
                .sorted(Comparator.comparing(file -> TraceNames.natural(file.toString())))
                .toList();
        if (wanted.isEmpty()) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    "none of " + files.size() + " traces has the step or the name that is meant",
                    "The first is " + files.getFirst() + ".");
        }
        Map<Integer, List<Path>> byRank = byRank(wanted, RankNumbering::named);
        if (isClear(byRank)) {
            return wanted;
        }
        byRank = byRank(wanted, RankFiles::statedOrNamed);
        if (isClear(byRank)) {
            return wanted;
        }
        return oneEach(byRank, selection);
    }

    /** Files with the rank that their beginnings state or their paths name, by rank; those without one last, as they come, with -1. */
    static Map<Path, Integer> inOrder(List<Path> files) {
        Map<Integer, List<Path>> byRank = byRank(files, RankFiles::statedOrNamed);
        Map<Path, Integer> order = new LinkedHashMap<>();
        List<Path> without = Objects.requireNonNullElse(byRank.remove(-1), List.of());
        byRank.forEach((rank, claimants) -> claimants.forEach(file -> order.put(file, rank)));
        without.forEach(file -> order.put(file, -1));
        return order;
    }

    /**
     * Files by the rank that their beginnings state or their paths name; empty when that is not known of every file, or not
     * distinct.
     */
    static Map<Integer, Path> numbered(List<Path> files) {
        Map<Integer, List<Path>> byRank = byRank(files, RankFiles::statedOrNamed);
        if (byRank.containsKey(-1) || !isClear(byRank)) {
            return Map.of();
        }
        Map<Integer, Path> numbered = new TreeMap<>();
        byRank.forEach((rank, claimants) -> numbered.put(rank, claimants.getFirst()));
        return numbered;
    }

    /** Several traces of a rank: the latest of each, or an error that lists them. */
    static UserException several(Map<Integer, List<Path>> byRank) {
        StringBuilder message = new StringBuilder("several traces for a rank:");
        int listed = 0;
        for (Map.Entry<Integer, List<Path>> rank : byRank.entrySet()) {
            if (rank.getKey() < 0 || rank.getValue().size() < 2) {
                continue;
            }
            if (listed++ == MOST_LISTED) {
                message.append("\n  and further ranks");
                break;
            }
            message.append("\n  rank ").append(rank.getKey()).append(':');
            rank.getValue().stream()
                    .limit(MOST_LISTED)
                    .forEach(file -> message.append("\n    ").append(file));
            if (rank.getValue().size() > MOST_LISTED) {
                message.append("\n    and ")
                        .append(rank.getValue().size() - MOST_LISTED)
                        .append(" more");
            }
        }
        return new UserException(
                ErrorCode.RANK_AMBIGUOUS,
                message.toString(),
                "Say which are meant, by their step, their name or as the latest, or name the files.");
    }

    private static List<Path> oneEach(Map<Integer, List<Path>> byRank, RankSelection selection) {
        if (!selection.latest()) {
            throw several(byRank);
        }
        List<Path> chosen = new ArrayList<>();
        for (Map.Entry<Integer, List<Path>> rank : byRank.entrySet()) {
            List<Path> oldestFirst =
                    rank.getValue().stream().sorted(TraceNames.byAge()).toList();
            if (rank.getKey() < 0) {
                chosen.addAll(oldestFirst);
            } else {
                chosen.add(oldestFirst.getLast());
            }
        }
        return chosen;
    }

    /** Whether no two files claim a rank. Files without one are ranks of their own. */
    private static boolean isClear(Map<Integer, List<Path>> byRank) {
        return byRank.entrySet().stream()
                .allMatch(rank -> rank.getKey() < 0 || rank.getValue().size() == 1);
    }

    private static Map<Integer, List<Path>> byRank(List<Path> files, ToIntFunction<Path> rankOf) {
        Map<Integer, List<Path>> byRank = new TreeMap<>();
        for (Path file : files) {
            byRank.computeIfAbsent(rankOf.applyAsInt(file), r -> new ArrayList<>())
                    .add(file);
        }
        return byRank;
    }

    /** The rank that the head of the file states, else that of its path, else -1. */
    private static int statedOrNamed(Path file) {
        try (PrefixedSource content = TraceInput.of(file).open(new Diagnostics())) {
            String head = new String(content.head(), StandardCharsets.ISO_8859_1);
            if (head.contains("\"" + MergedTraces.KEY + "\"")) {
                return -1; // it holds several
            }
            int stated = statedIn(content.head());
            if (stated >= 0) {
                return stated;
            }
        } catch (IOException e) {
            // what cannot be read is reported when it is its turn
        }
        return RankNumbering.named(file);
    }

    /** The rank that a beginning of a file states; -1 for none, and for one that is not believed. */
    static int statedIn(byte[] head) {
        Matcher matcher = STATED.matcher(new String(head, StandardCharsets.ISO_8859_1));
        return matcher.find() && OtherFormats.of(head).isEmpty()
                ? RankNumbering.believed(Integer.parseInt(matcher.group(1)))
                : -1;
    }
}
