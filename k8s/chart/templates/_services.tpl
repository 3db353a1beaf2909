{{/*
What the services are: everything about them that is not a matter of taste. `after` is the step of an upgrade.
*/}}
{{- define "weir.services" -}}
usageAggregator:
  name: usage-aggregator
  about: From the journals to the rollups.
  kind: Deployment
  step: 1
  port: 4004
  metricsPort: 9464
  secretKeys: [sealing-key]
  optionalKeys:
    {{- include "weir.kafkaSecrets" . | nindent 4 }}
    USAGE_FILES_ACCESS_KEY_ID: usage-files-access-key-id
    USAGE_FILES_SECRET_ACCESS_KEY: usage-files-secret-access-key
    {{- if .Values.stores.clickhouse.url }}
    CLICKHOUSE_PASSWORD: clickhouse-password
    {{- end }}
  database: true
  settings:
    REDIS_URL: {{ include "weir.redisUrl" . }}
    KAFKA_BROKERS: {{ include "weir.kafkaBrokers" . }}
    {{- with .Values.stores.kafkaSettings }}{{- toYaml . | nindent 4 }}{{- end }}
    {{- if .Values.stores.clickhouse.url }}
    {{- include "weir.clickhouse" . | nindent 4 }}
    CLICKHOUSE_MAKE_TABLES: '{{ .Values.stores.clickhouse.makeTables }}'
    {{- end }}
chatTranslator:
  name: chat-translator
  about: Its journal outlives its pods, one volume each.
  kind: StatefulSet
  step: 2
  port: 4001
  metricsPort: 9461
  secretKeys: [passport-secret]
  optionalKeys: {{- include "weir.kafkaSecrets" . | nindent 4 }}
  providers: true
  catalog: true
  settings:
    REDIS_URL: {{ include "weir.redisUrl" . }}
    KAFKA_BROKERS: {{ include "weir.kafkaBrokers" . }}
    {{- with .Values.stores.kafkaSettings }}{{- toYaml . | nindent 4 }}{{- end }}
    JOURNAL_DIR: /var/lib/weir/journal
mediaService:
  name: media-service
  about: Its journal outlives its pods, one volume each.
  kind: StatefulSet
  step: 2
  port: 4002
  metricsPort: 9462
  secretKeys: [passport-secret]
  optionalKeys: {{- include "weir.kafkaSecrets" . | nindent 4 }}
  providers: true
  catalog: true
  settings:
    REDIS_URL: {{ include "weir.redisUrl" . }}
    KAFKA_BROKERS: {{ include "weir.kafkaBrokers" . }}
    {{- with .Values.stores.kafkaSettings }}{{- toYaml . | nindent 4 }}{{- end }}
    JOURNAL_DIR: /var/lib/weir/journal
    UPLOAD_DIR: /tmp/uploads
edgeRouter:
  name: edge-router
  about: The only one that callers reach.
  kind: Deployment
  step: 3
  port: 4000
  metricsPort: 9460
  secretKeys: [key-pepper, passport-secret, sealing-key]
  optionalKeys: { KEY_PEPPER_PREVIOUS: key-pepper-previous }
  database: true
  providers: true
  catalog: true
  settings:
    REDIS_URL: {{ include "weir.redisUrl" . }}
    UPLOAD_DIR: /tmp/uploads
    UPLOAD_DISK_BYTES_MAX: '4294967296'
    CHAT_TRANSLATOR_URL: http://chat-translator:4001
    MEDIA_SERVICE_URL: http://media-service:4002
    {{- with .Values.region }}
    DEPLOYMENT_REGION: {{ . }}
    {{- end }}
    {{- if .Values.regionalAddresses }}
    {{- $addresses := list }}
    {{- range $region, $url := .Values.regionalAddresses }}
    {{- $addresses = append $addresses (printf "%s=%s" $region $url) }}
    {{- end }}
    REGIONAL_ADDRESSES: {{ join "," $addresses }}
    {{- end }}
managementApi:
  name: management-api
  about: Keys, groups, usage, the console.
  kind: Deployment
  step: 3
  port: 4003
  metricsPort: 9463
  secretKeys: [key-pepper, sealing-key, bootstrap-api-key, passport-secret]
  optionalKeys:
    KEY_PEPPER_PREVIOUS: key-pepper-previous
    CONSOLE_OIDC_CLIENT_SECRET: console-oidc-client-secret
    {{- if .Values.stores.clickhouse.url }}
    CLICKHOUSE_PASSWORD: clickhouse-password
    {{- end }}
  database: true
  catalog: true
  configuration: true
  settings:
    REDIS_URL: {{ include "weir.redisUrl" . }}
    # A job does it before services start.
    MIGRATE_AT_START: 'false'
    CHAT_TRANSLATOR_URL: http://chat-translator:4001
    CONSOLE_GATEWAY_URL: http://edge-router:4000
    {{- if .Values.stores.clickhouse.url }}
    {{- include "weir.clickhouse" . | nindent 4 }}
    USAGE_STORE: {{ .Values.stores.usageStore }}
    {{- end }}
{{- end -}}

{{/* Secrets by which brokers are reached, where they ask for any. */}}
{{- define "weir.kafkaSecrets" -}}
KAFKA_SASL_PASSWORD: kafka-sasl-password
KAFKA_OAUTH_CLIENT_SECRET: kafka-oauth-client-secret
KAFKA_TLS_CA: kafka-tls-ca
KAFKA_TLS_CERT: kafka-tls-cert
KAFKA_TLS_KEY: kafka-tls-key
{{- end -}}

{{/* A second home of usage, where there is one. */}}
{{- define "weir.clickhouse" -}}
CLICKHOUSE_URL: {{ .Values.stores.clickhouse.url }}
CLICKHOUSE_DATABASE: {{ .Values.stores.clickhouse.database }}
CLICKHOUSE_USER: {{ .Values.stores.clickhouse.user }}
CLICKHOUSE_RETENTION_DAYS: '{{ .Values.stores.clickhouse.retentionDays }}'
{{- end -}}

{{/* Paths that the management-api serves; all others are the gateway's. */}}
{{- define "weir.managementPaths" -}}
- { path: /v1/manage, type: Prefix }
- { path: /scim, type: Prefix }
- { path: /schemas, type: Prefix }
- { path: /console, type: Prefix }
- { path: /x/apikey, type: Exact }
- { path: /v1/session, type: Exact }
- { path: /internal/secret-alert, type: Exact }
{{- end -}}
