// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What an event is, told by its name and category. */
final class EventClasses {
    static final String OTHER = "OTHER";
    static final String PREP = "COMPUTE_PREP";
    static final String EXEC = "COMPUTE_EXEC";
    static final String IN = "DATA_IN";
    static final String OUT = "DATA_OUT";
    static final String SEND = "MAIU_PROTOCOL_SEND_DATA";
    static final String RECEIVE = "MAIU_PROTOCOL_RECV_DATA";
    private static final String HDMA = "MAIU_HDMA_PROTOCOL_";

    private record Words(String kind, List<String> any) {}

    /** In the order in which they are tried. */
    private static final List<Words> HOST_DMA = List.of(
            new Words(
                    "WAIT_DATA",
                    List.of(
                            "Wdone DmaI",
                            "Wait for Data Avail Notice",
                            "Wait for Notice (gather notifications)",
                            "R5 Wait DATA")),
            new Words("WAIT_ACK", List.of("Wait for ACK", "R5 Wait ACK")),
            new Words("SIGNAL_ACK", List.of("Send ACK Instruction", "R5 Send ACK")),
            new Words("SIGNAL_DATA", List.of("Send Instruction", "HCOLL Signal", "R5 Send DATA")),
            new Words("MONITOR_NOTICE", List.of("Wait for Notice", "Wait for Delivery Notice")));

    /** Classes of FLEX's events that take part in no collective, which their names tell. */
    private final Map<AiuName, String> plain = new HashMap<>();

    String of(AiuEvent event) {
        if (event.isTorch() || isCollective(event)) {
            return find(event);
        }
        String known = plain.get(event.name);
        if (known == null) {
            known = find(event);
            plain.put(event.name, known);
        }
        return known;
    }

    private static boolean isCollective(AiuEvent event) {
        return event.isTorch() ? event.name.contains("HCOLL") : event.args != null && event.args.has("CollGroup");
    }

    private static String find(AiuEvent event) {
        String kind = base(event);
        String name = event.name.text();
        boolean torch = event.isTorch();
        if (torch ? name.equals("aiuDataConvert") : convertsData(name)) {
            kind = "SEN_DATA_CONVERT";
        }
        if (name.equals(torch ? "aiuPrepareAndSyncRdma" : "PrepareAndSyncRdma")) {
            kind = "MAIU_WIREUP";
        }
        if (name.contains("Barrier:") || name.contains("barrier:")) {
            kind = "MAIU_BARRIER";
        }
        if (torch
                ? name.equals("aiuLaunchSuperNode") || name.equals("aiuSuperNodeExecution")
                : name.equals("Flex RoundTrip")) {
            kind = "ROUNDTRIP_FLEX";
        }
        if (name.contains("AIU Roundtrip")) {
            kind = "ROUNDTRIP_AIU";
        }
        return isCollective(event) ? collective(name, kind) : kind;
    }

    private static String base(AiuEvent event) {
        int last = event.name.lastStep();
        if (last == AiuName.PREP) {
            return PREP;
        }
        if (isKernel(event)) {
            return EXEC;
        }
        String name = event.name.text();
        if (event.isTorch() ? name.contains("emcpy (HtoD)") : name.contains(" DmaI")) {
            return IN;
        }
        return (event.isTorch() ? name.contains("emcpy (DtoH)") : name.contains(" DmaO")) ? OUT : OTHER;
    }

    /** Whether it is a kernel by the words of those who wrote the file. */
    static boolean isKernel(AiuEvent event) {
        return event.isTorch()
                ? event.category != null && event.category.contains("kernel")
                : event.name.lastStep() == AiuName.EXEC;
    }

    private static boolean convertsData(String name) {
        int of = name.indexOf("Compute of ");
        return of >= 0 && name.indexOf("SenFusedDeviceNode", of) < 0;
    }

    private static String collective(String name, String kind) {
        if (name.contains("Host DMA") || name.contains("HCOLL")) {
            for (Words words : HOST_DMA) {
                if (words.any.stream().anyMatch(name::contains)) {
                    return HDMA + words.kind;
                }
            }
            return switch (kind) {
                case OUT -> HDMA + "SEND_DATA";
                case IN -> HDMA + "RECV_DATA";
                default -> kind;
            };
        }
        if (name.contains("DLM Wait")) {
            return HDMA + "WAIT_DATA";
        }
        if (name.contains("Set BcList") || name.contains("Xseg to rank")) {
            return "MAIU_PROTOCOL_SERIAL";
        }
        return switch (kind) {
            case OUT -> "MAIU_P2PRDMA_PROTOCOL_SEND_DATA";
            case IN -> "MAIU_P2PRDMA_PROTOCOL_RECV_DATA";
            default -> kind;
        };
    }
}
