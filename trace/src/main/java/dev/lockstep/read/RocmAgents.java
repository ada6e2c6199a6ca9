// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.TraceInfo.Device;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The processors and devices of a recording of AMD's profilers, which calls both agents. */
public final class RocmAgents {
    private record Agent(boolean isDevice, long number, String product) {}

    private final Map<Long, Agent> agents = new TreeMap<>();

    /** No agents so far: each is its own number. */
    public RocmAgents() {}

    /**
     * Adds an agent.
     *
     * @param id as records name it
     * @param isDevice whether it is a device and no processor
     * @param number among the devices of its host
     * @param product what it is sold as
     */
    public void add(long id, boolean isDevice, long number, String product) {
        agents.put(id, new Agent(isDevice, number, product));
    }

    /**
     * {@return whether an agent is a device and no processor}
     *
     * @param id as records name it
     */
    public boolean isDevice(long id) {
        Agent known = agents.get(id);
        return known != null && known.isDevice;
    }

    /**
     * {@return the number of a device among the devices of its host; the agent itself when it is unknown, -1 for a processor}
     *
     * @param id as records name it
     */
    public long device(long id) {
        Agent known = agents.get(id);
        return known == null ? id : known.isDevice ? known.number : -1;
    }

    /** {@return the devices, in order of their numbers} */
    public List<Device> devices() {
        return agents.values().stream()
                .filter(Agent::isDevice)
                .map(agent -> new Device(agent.number, agent.product))
                .sorted(Comparator.comparingLong(Device::id))
                .toList();
    }
}
