{{- define "weir.labels" -}}
app.kubernetes.io/part-of: weir
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.region }}
weir.dev/region: {{ . }}
{{- end }}
{{- end -}}

{{/* Of a pod: without what changes with every version, so that selectors and restarts do not depend on it. */}}
{{- define "weir.podLabels" -}}
app.kubernetes.io/part-of: weir
app.kubernetes.io/instance: {{ .Release.Name }}
{{- with .Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/*
Of stores: their operators give them to pods. So they never change, or stores would start again with every version of the chart;
and are not those by which network policies find pods of ours.
*/}}
{{- define "weir.storeLabels" -}}
app.kubernetes.io/part-of: weir-stores
{{- end -}}

{{/* The image of a step of an upgrade: {root, step}. */}}
{{- define "weir.image" -}}
{{- $image := .root.Values.image -}}
{{- $which := $image -}}
{{- if gt (int .step) (int .root.Values.upgrade.step) -}}
{{- $which = .root.Values.upgrade.from -}}
{{- if not (or $which.tag $which.digest) -}}
{{- fail "upgrade.from says which image services of later steps keep: set upgrade.from.tag or upgrade.from.digest, or upgrade.step=3" -}}
{{- end -}}
{{- end -}}
{{- if $which.digest -}}
{{ $image.repository }}@{{ $which.digest }}
{{- else -}}
{{ $image.repository }}:{{ $which.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "weir.redisUrl" -}}
{{- if .Values.stores.redisUrl -}}{{ .Values.stores.redisUrl }}
{{- else if .Values.stores.redis.enabled -}}redis://weir-redis:6379
{{- else -}}redis://redis.weir-stores:6379
{{- end -}}
{{- end -}}

{{/* Whether the objects of the Prometheus operator are made. */}}
{{- define "weir.isMonitored" -}}
{{- if eq (toString .Values.monitoring.enabled) "auto" -}}
{{- if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" -}}true{{- end -}}
{{- else if .Values.monitoring.enabled -}}true
{{- end -}}
{{- end -}}

{{- define "weir.kafkaBrokers" -}}
{{- if .Values.stores.kafkaBrokers -}}{{ .Values.stores.kafkaBrokers }}
{{- else if .Values.stores.kafka.enabled -}}weir-kafka-kafka-bootstrap:9092
{{- else -}}kafka.weir-stores:9092
{{- end -}}
{{- end -}}

{{/* The secret with the address of Postgres, and its key. */}}
{{- define "weir.databaseSecret" -}}
{{- if .Values.secrets.databaseUrl.existingSecret -}}
name: {{ .Values.secrets.databaseUrl.existingSecret }}
key: {{ .Values.secrets.databaseUrl.key }}
{{- else if .Values.stores.postgres.enabled -}}
name: weir-postgres-app
key: uri
{{- else -}}
name: {{ .Values.secrets.existingSecret }}
key: database-url
{{- end -}}
{{- end -}}

{{/*
Jobs run before anything else is changed. What they need must be there then: where the database, or the secret with its address,
comes into being with this very release, they run after its first installation, and services start again until they are through.
*/}}
{{- define "weir.jobHook" -}}
{{- if or .Values.stores.postgres.enabled .Values.stores.kafka.enabled .Values.externalSecrets.enabled -}}
post-install,pre-upgrade
{{- else -}}
pre-install,pre-upgrade
{{- end -}}
{{- end -}}

{{- define "weir.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "weir.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Where pods may run: of every pod spec. `affinity` is that of a service, where it has one of its own. */}}
{{- define "weir.scheduling" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity | default .Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* A file from a document of the values or from an object that is there: {root, of, name, file}; empty where there is neither. */}}
{{- define "weir.fileVolume" -}}
{{- if .of.existingConfigMap -}}
configMap: { name: {{ .of.existingConfigMap }} }
{{- else if .of.existingSecret -}}
secret: { secretName: {{ .of.existingSecret }}, defaultMode: 0440 }
{{- else if .of.document -}}
configMap: { name: {{ .name }} }
{{- end -}}
{{- end -}}
