# SPDX-License-Identifier: Apache-2.0
# RCCL's warp-speed build on top of the ROCm 7.0 image. Arguments and their defaults: docker/README.md.
ARG ROCM_IMAGE=lockstep/rocm70:latest
FROM ${ROCM_IMAGE}

USER root
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]

RUN if command -v apt-get >/dev/null; then \
      apt-get update && apt-get install -y --no-install-recommends git cmake ninja-build g++ make && \
      rm -rf /var/lib/apt/lists/*; \
    else \
      yum install -y git cmake ninja-build gcc-c++ make; \
    fi

# The repository and the branch or commit with RCCL_WARP_SPEED_ENABLE. There is no default: name the one you may use.
ARG RCCL_REPOSITORY
ARG RCCL_REF=warp_speed_v1
ARG RCCL_PREFIX=/opt/rccl-warpspeed
# -l: only for the devices of the machine that builds; empty for all.
ARG RCCL_BUILD_FLAGS=-l
RUN [[ -n $RCCL_REPOSITORY ]] || { echo "set RCCL_REPOSITORY (see docker/README.md)" >&2; exit 1; }; \
    git clone --recursive "$RCCL_REPOSITORY" /opt/rccl; \
    cd /opt/rccl; \
    git checkout "$RCCL_REF"; \
    git submodule update --init --recursive; \
    ./install.sh $RCCL_BUILD_FLAGS -i --prefix="$RCCL_PREFIX"; \
    git log -1 --format='%H %D' >"$RCCL_PREFIX/commit"; \
    ls -l "$RCCL_PREFIX"/lib/librccl.so*

ENV RCCL_ROOT=${RCCL_PREFIX} \
    LD_LIBRARY_PATH=${RCCL_PREFIX}/lib:/opt/rocm/lib

WORKDIR /workspace
CMD ["/bin/bash"]
