// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code flow_prepare_event_data}: behind each event of a collective that names what it synchronises with, a helper with
 * group, peers and kind of transfer.
 */
final class PrepareFlows implements Stage {
    private static final Pattern SIZE = Pattern.compile(" \\[[0-9]+[Bb]\\]");
    private static final Pattern SYNC = Pattern.compile(" \\[sync=(.*)\\]");
    private static final int LONGEST_SEND = 1000;
    private static final Pattern SENDS = Pattern.compile("RdmaSend[^X]+Xseg[^D]+DmaO$");
    private static final Pattern RECEIVED = Pattern.compile("[Rr][Ee][Cc][Vv]_([0-9]+)_");
    private static final Map<String, Long> TYPES = Map.of(
            "WDone Barrier",
            FlowHelper.DONE,
            "MultiCast",
            FlowHelper.MULTICAST,
            "MultiCast XSEG",
            FlowHelper.SEND,
            "SingleCast",
            FlowHelper.SEND,
            "Set BCList",
            FlowHelper.BROADCAST_LIST);

    /** What a name says: itself without sizes, and what it synchronises with, empty for nothing. */
    private record Known(AiuName plain, String sync) {}

    private final boolean knowsSizes;
    private final Map<AiuName, Known> names = new HashMap<>();
    private long unknownTypes;

    PrepareFlows(boolean knowsSizes) {
        this.knowsSizes = knowsSizes;
    }

    @Override
    public String name() {
        return "flow_prepare_event_data";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.phase != 'X' && event.phase != 'b' && event.phase != 'e') {
            next.accept(event);
            return;
        }
        Known known = names.computeIfAbsent(event.name, PrepareFlows::known);
        Args args = event.args;
        if (!knowsSizes || args == null || !args.has(FlowHelper.BYTES)) {
            event.name = known.plain;
        }
        Object peer = args == null ? null : args.remove("Peer");
        if (args != null && peer != null) {
            args.put(FlowHelper.PEERS, peer);
        }
        AiuEvent helper = transfer(event, known);
        next.accept(event);
        if (helper != null) {
            next.accept(helper);
        }
    }

    /** The helper of a transfer's end as it would be made; null for other events. */
    @Nullable
    AiuEvent transfer(AiuEvent event) {
        return transfer(event, names.computeIfAbsent(event.name, PrepareFlows::known));
    }

    private @Nullable AiuEvent transfer(AiuEvent event, Known known) {
        return known.sync.isEmpty() ? null : helper(event, known.sync);
    }

    private static Known known(AiuName name) {
        Matcher sync = SYNC.matcher(name.text());
        String plain = SIZE.matcher(name.text()).replaceAll("");
        return new Known(plain.equals(name.text()) ? name : new AiuName(plain), sync.find() ? sync.group(1) : "");
    }

    private AiuEvent helper(AiuEvent event, String sync) {
        AiuEvent helper = new AiuEvent('F', event.name);
        helper.ts = event.ts;
        helper.dur = event.dur;
        helper.pid = event.pid;
        helper.hasPid = true;
        helper.tid = event.tid;
        helper.hasTid = event.hasTid;
        helper.wideTid = event.wideTid;
        Args args = event.args;
        String group = args == null ? null : args.text("CollGroup");
        helper.category = group == null ? "" : group;
        Args members = new Args();
        members.put(FlowHelper.SYNC, sync);
        members.put(FlowHelper.PEERS, peers(peersOf(args), event.name.text()));
        step(event.name.text(), args, members);
        if (event.name.text().length() <= LONGEST_SEND
                && SENDS.matcher(event.name.text()).find()) {
            members.put("io_type", 0L);
        }
        members.put(FlowHelper.TYPE, type(args == null ? null : args.text(FlowHelper.TYPE)));
        members.put("jobhash", event.job == null ? -1L : (long) event.job.number());
        helper.other = members;
        Object bytes = !knowsSizes || args == null ? null : args.get(FlowHelper.BYTES);
        if (bytes != null) {
            members.put(FlowHelper.BYTES, bytes);
        }
        return helper;
    }

    /** What an event says of its peers, under its name of before or after preparation. */
    private static @Nullable Object peersOf(@Nullable Args args) {
        Object peers = args == null ? null : args.get(FlowHelper.PEERS);
        return peers == null && args != null ? args.get("Peer") : peers;
    }

    private static void step(String name, @Nullable Args args, Args members) {
        String type = args == null ? null : args.text(FlowHelper.TYPE);
        if (name.endsWith(" Prep")) {
            members.put("step", 0L);
        } else if (name.endsWith(" Exec")) {
            members.put("step", 1L);
        } else if (type != null && type.contains("WDone") && type.contains("Barrier")) {
            members.put("step", 5L);
        }
    }

    private long type(@Nullable String type) {
        if (type == null) {
            return FlowHelper.NONE;
        }
        Long known = TYPES.get(type);
        if (known == null) {
            unknownTypes++;
            return FlowHelper.NONE;
        }
        return known;
    }

    private static List<Long> peers(@Nullable Object given, String name) {
        List<Long> peers = new ArrayList<>();
        if (given instanceof List<?> list) {
            list.forEach(peer -> add(peers, peer.toString()));
        } else if (given != null) {
            for (String peer : given.toString().split(",")) {
                add(peers, peer);
            }
        } else {
            Matcher received = RECEIVED.matcher(name);
            if (received.find()) {
                add(peers, received.group(1));
            }
        }
        return peers;
    }

    private static void add(List<Long> peers, String peer) {
        String number = peer.strip();
        if (number.matches("-?[0-9]{1,9}")) {
            peers.add(Long.parseLong(number));
        }
    }

    @Override
    public void finish(AiuLog log) {
        if (unknownTypes > 0) {
            log.warn("FLOW: " + unknownTypes + " event(s) of collectives with an unknown Type");
        }
    }
}
