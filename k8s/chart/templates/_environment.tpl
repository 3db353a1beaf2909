{{/* Settings of a service, as its config map has them: {root, key, service}. */}}
{{- define "weir.settings" -}}
{{- $drain := .root.Values.drain -}}
{{- $settings := dict "PORT" .service.port "METRICS_PORT" .service.metricsPort "HOST" "0.0.0.0" "LOG_LEVEL" .root.Values.logLevel -}}
{{- $_ := set $settings "DRAIN_DELAY_MS" (mul $drain.delaySeconds 1000) -}}
{{- $_ := set $settings "DRAIN_TIMEOUT_MS" (mul $drain.timeoutSeconds 1000) -}}
{{- with .root.Values.tracesEndpoint -}}{{- $_ := set $settings "OTEL_EXPORTER_OTLP_ENDPOINT" . -}}{{- end -}}
{{- range $path := (include "weir.files" . | fromYamlArray) -}}{{- $_ := set $settings $path.setting $path.path -}}{{- end -}}
{{- if .root.Values.secrets.redisUrl.existingSecret -}}{{- $_ := unset .service.settings "REDIS_URL" -}}{{- end -}}
{{- $settings = merge (dict) (index .root.Values.services .key).settings .service.settings $settings -}}
{{- range $name, $value := $settings }}
{{- if not (kindIs "invalid" $value) }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Files that a service is told of by a setting: name of the volume, setting, path, where it comes from. */}}
{{- define "weir.files" -}}
{{- $values := .root.Values -}}
{{- $files := list -}}
{{- if .service.providers -}}
{{- $volume := include "weir.fileVolume" (dict "of" $values.providers.accounts "name" "provider-accounts") -}}
{{- if $volume -}}{{- $files = append $files (dict "name" "provider-accounts" "setting" "PROVIDER_ACCOUNTS_FILE" "path" "/etc/weir/accounts/accounts.json" "volume" ($volume | fromYaml)) -}}{{- end -}}
{{- end -}}
{{- if .service.catalog -}}
{{- $volume := include "weir.fileVolume" (dict "of" $values.catalog "name" "catalog") -}}
{{- if $volume -}}{{- $files = append $files (dict "name" "catalog" "setting" "CATALOG_FILE" "path" "/etc/weir/catalog/catalog.json" "volume" ($volume | fromYaml)) -}}{{- end -}}
{{- end -}}
{{- if .service.configuration -}}
{{- $volume := include "weir.fileVolume" (dict "of" $values.configuration "name" "configuration") -}}
{{- if $volume -}}{{- $files = append $files (dict "name" "configuration" "setting" "CONFIGURATION_FILE" "path" "/etc/weir/configuration/weir.yaml" "volume" ($volume | fromYaml)) -}}{{- end -}}
{{- end -}}
{{- toYaml $files -}}
{{- end -}}

{{/* Environment of a container beside its config map: secrets by files, those that may be missing by variables. */}}
{{- define "weir.environment" -}}
{{- $secret := .root.Values.secrets.existingSecret -}}
{{- if .service.database }}
- { name: DATABASE_URL_FILE, value: /run/weir/database-url }
{{- end }}
{{- if .root.Values.secrets.redisUrl.existingSecret }}
- { name: REDIS_URL_FILE, value: /run/weir/redis-url }
{{- end }}
{{- range .service.secretKeys }}
- { name: {{ . | upper | replace "-" "_" }}_FILE, value: /run/weir/{{ . }} }
{{- end }}
{{- range $name, $key := .service.optionalKeys }}
- { name: {{ $name }}, valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ $key }}, optional: true } } }
{{- end }}
- { name: NODE_OPTIONS, value: {{ (index .root.Values.services .key).nodeOptions | quote }} }
{{- with concat .root.Values.extraEnv ((index .root.Values.services .key).extraEnv | default list) }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What is mounted at /run/weir. */}}
{{- define "weir.secretSources" -}}
{{- if .service.secretKeys }}
- secret:
    name: {{ .root.Values.secrets.existingSecret }}
    items:
      {{- range .service.secretKeys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}
{{- if .service.database }}
{{- $database := include "weir.databaseSecret" .root | fromYaml }}
- secret:
    name: {{ $database.name }}
    items: [{ key: {{ $database.key }}, path: database-url }]
{{- end }}
{{- with .root.Values.secrets.redisUrl }}
{{- if .existingSecret }}
- secret:
    name: {{ .existingSecret }}
    items: [{ key: {{ .key }}, path: redis-url }]
{{- end }}
{{- end }}
{{- end -}}
