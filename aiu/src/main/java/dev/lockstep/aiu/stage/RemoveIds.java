// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code remove_ids_from_name}: numbers of requests move from the name to the arguments. */
final class RemoveIds implements Stage {
    private static final Pattern ID = Pattern.compile("_([0-9]+)[_ -]");

    private record Split(AiuName name, String id) {}

    private final Map<AiuName, Split> known = new HashMap<>();

    @Override
    public String name() {
        return "remove_ids_from_name";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && !event.name.contains("Recv_")) {
            Split split = known.computeIfAbsent(event.name, RemoveIds::split);
            if (split.name != event.name) {
                event.put("reqID", split.id);
                event.name = split.name;
            }
        }
        next.accept(event);
    }

    private static Split split(AiuName name) {
        Matcher matcher = ID.matcher(name.text());
        if (!matcher.find()) {
            return new Split(name, "");
        }
        String id = matcher.group(1);
        return new Split(new AiuName(matcher.replaceAll(" ")), id);
    }
}
