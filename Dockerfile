# The image names its parts by arguments, so that a site can use its own mirror:
#   BASE             any image with Python 3.11.
#   TORCH_INDEX_URL  empty: torch comes from the index pip is set up with. Set to the address of an index that offers
#                    builds for the CPU alone, it is asked as well, and pip prefers such a build of the same version
#                    (its version carries a local label). That makes the image several gigabytes smaller.
ARG BASE=python:3.11-slim

FROM ${BASE} AS packages
ARG TORCH_INDEX_URL=""
COPY requirements.txt /tmp/requirements.txt
RUN python -m venv /opt/tropviz \
    && /opt/tropviz/bin/pip install --no-cache-dir --disable-pip-version-check \
        ${TORCH_INDEX_URL:+--extra-index-url "${TORCH_INDEX_URL}"} --requirement /tmp/requirements.txt

# Only the finished environment and the app go on: no cache, no build tools, no requirements.
FROM ${BASE}
COPY --from=packages /opt/tropviz /opt/tropviz
WORKDIR /app
COPY app.py ./
COPY .streamlit .streamlit
COPY assets assets
COPY pages pages
COPY tropviz tropviz
ENV PATH=/opt/tropviz/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp \
    USER=tropviz
USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "app.py", "--server.headless=true", "--server.address=0.0.0.0", "--server.port=8501"]
