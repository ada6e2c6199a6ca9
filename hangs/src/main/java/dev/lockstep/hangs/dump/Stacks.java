// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stacks of a dump, each once. Pickles share frames between stacks, so that most are known by their objects. */
final class Stacks {
    /** Stacks that are kept as objects at most, and where frames are not shared, so that none is met again. */
    private static final int MOST_KNOWN = 4096;

    private static final int MOST_UNMET = 64;

    private int known;
    private boolean isMet;
    private final List<String> stacks = new ArrayList<>();
    private final Map<List<Frame>, Integer> numbers = new HashMap<>();
    private final Map<Integer, List<Known>> byFrames = new HashMap<>();

    /** A frame, by what it says. */
    private record Frame(String file, long line, String name) {
        String words() {
            return (file + ":" + line + " " + name).replace('\n', ' ');
        }
    }

    /** A stack that was met: the frames themselves. */
    private record Known(List<?> frames, int number) {
        @SuppressWarnings("ReferenceEquality") // shared frames are one object
        boolean is(List<?> others) {
            if (frames.size() != others.size()) {
                return false;
            }
            for (int i = 0; i < others.size(); i++) {
                if (frames.get(i) != others.get(i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The number of a stack. */
    int number(List<?> frames) {
        int hash = 0;
        for (int i = 0; i < frames.size(); i++) {
            hash = 31 * hash + System.identityHashCode(frames.get(i));
        }
        boolean keeps = known < (isMet ? MOST_KNOWN : MOST_UNMET);
        List<Known> alike = keeps
                ? byFrames.computeIfAbsent(hash, h -> new ArrayList<>(1))
                : byFrames.getOrDefault(hash, List.of());
        for (Known one : alike) {
            if (one.is(frames)) {
                isMet = true;
                return one.number;
            }
        }
        int number = numbers.computeIfAbsent(frames.stream().map(this::frame).toList(), key -> {
            stacks.add(String.join("\n", key.stream().map(Frame::words).toList()));
            return stacks.size() - 1;
        });
        if (keeps) {
            known++;
            alike.add(new Known(frames, number));
        }
        return number;
    }

    private Frame frame(Object stated) {
        Map<?, ?> frame = Plain.map(stated);
        return new Frame(
                Plain.text(frame.get("filename")), Plain.whole(frame.get("line"), 0), Plain.text(frame.get("name")));
    }

    /** All stacks by number: frames, the innermost first, a line each. */
    List<String> all() {
        return stacks;
    }
}
