// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.MemoryDetails;

/** The fields of the event that is being read. Reused from event to event. */
final class EventFields {
    static final int HAS_OP_DETAILS = 1;
    static final int HAS_DEVICE_DETAILS = 2;
    static final int HAS_COLLECTIVE_DETAILS = 4;
    static final int HAS_LAUNCH_DETAILS = 8;
    static final int HAS_SYNC_DETAILS = 16;
    static final int HAS_MEMORY_DETAILS = 32;
    static final int HAS_COUNTERS = 64;

    /** Phase letter, 0 when absent or no text. */
    int phase;

    boolean oddPhase;
    boolean hasTs;
    boolean hasDur;
    long ts;
    long dur;
    int name;
    int category;
    int process;
    int thread;
    long id;
    /** Where the id stands in the block, and the place behind it; equal when there is none. */
    int idText;

    int idTextEnd;
    int details;

    long correlation;
    long externalId;
    long eventNumber;
    long hcclCount;
    int hcclType;
    long stream;
    long device;
    long registers;
    long sharedMemory;
    long occupancy;
    long bytes;
    long memoryDevice;
    long memoryBytes;
    long memoryAddress;
    long allocated;
    long reserved;
    long bandwidth;
    long waitedStream;
    long waitedRecord;
    long sequence;
    long recordFunction;
    long groupSize;
    long inElements;
    long outElements;
    long collectiveSequence;
    long sourceRank;
    long destinationRank;
    long rank;
    int grid;
    int block;
    int inputDims;
    int inputTypes;
    int inputStrides;
    int concreteInputs;
    int outputTypes;
    int collective;
    int groupName;
    int groupDescription;
    int groupRanks;
    int dtype;
    int inSplit;
    int outSplit;
    int launchedKernel;
    int counters;
    int argName;
    int argLabels;

    void clear() {
        phase = 0;
        oddPhase = false;
        hasTs = false;
        hasDur = false;
        ts = JsonCursor.NOT_A_NUMBER;
        dur = JsonCursor.NOT_A_NUMBER;
        name = -1;
        category = -1;
        process = -1;
        thread = -1;
        id = -1;
        idText = 0;
        idTextEnd = 0;
        correlation = -1;
        externalId = -1;
        eventNumber = -1;
        hcclCount = -1;
        hcclType = -1;
        argName = -1;
        argLabels = -1;
        if (details != 0) {
            clearDetails();
        }
    }

    private void clearDetails() {
        details = 0;
        stream = -1;
        device = -1;
        registers = -1;
        sharedMemory = -1;
        occupancy = -1;
        bytes = -1;
        memoryDevice = MemoryDetails.HOST;
        memoryBytes = JsonCursor.NOT_A_NUMBER;
        memoryAddress = -1;
        allocated = -1;
        reserved = -1;
        bandwidth = -1;
        waitedStream = -1;
        waitedRecord = -1;
        sequence = -1;
        recordFunction = -1;
        groupSize = -1;
        inElements = -1;
        outElements = -1;
        collectiveSequence = -1;
        sourceRank = -1;
        destinationRank = -1;
        rank = -1;
        grid = -1;
        block = -1;
        inputDims = -1;
        inputTypes = -1;
        inputStrides = -1;
        concreteInputs = -1;
        outputTypes = -1;
        collective = -1;
        groupName = -1;
        groupDescription = -1;
        groupRanks = -1;
        dtype = -1;
        inSplit = -1;
        outSplit = -1;
        launchedKernel = -1;
        counters = -1;
    }

    EventFields() {
        details = -1;
        clear();
    }
}
