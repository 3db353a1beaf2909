{{/* Public addresses: never into private networks. */}}
{{- define "weir.publicAddresses" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
- ipBlock:
    cidr: ::/0
    except: [fc00::/7, fe80::/10]
{{- end -}}

{{/* Pods of ours by their name: a list of them. */}}
{{- define "weir.ownPods" -}}
{{- range . }}
- podSelector: { matchLabels: { app.kubernetes.io/name: {{ . }} } }
{{- end }}
{{- end -}}

{{/* Where each store is: pods of its operator in this namespace, or as the values say. */}}
{{- define "weir.postgresPeers" -}}
{{- if .Values.stores.postgres.enabled }}
- podSelector: { matchLabels: { cnpg.io/cluster: weir-postgres } }
{{- else }}
{{- toYaml .Values.networkPolicies.postgres }}
{{- end }}
{{- end -}}

{{- define "weir.redisPeers" -}}
{{- if .Values.stores.redis.enabled }}
- podSelector: { matchLabels: { app: weir-redis } }
{{- else }}
{{- toYaml .Values.networkPolicies.redis }}
{{- end }}
{{- end -}}

{{- define "weir.kafkaPeers" -}}
{{- if .Values.stores.kafka.enabled }}
- podSelector: { matchLabels: { strimzi.io/cluster: weir-kafka } }
{{- else }}
{{- toYaml .Values.networkPolicies.kafka }}
{{- end }}
{{- end -}}

{{- define "weir.clickhousePeers" -}}
{{- toYaml .Values.networkPolicies.clickhouse }}
{{- end -}}

{{/* Rules to stores: {root, stores: [postgres, redis, kafka, clickhouse]}. */}}
{{- define "weir.toStores" -}}
{{- $policies := .root.Values.networkPolicies -}}
{{- $ports := dict "postgres" $policies.postgresPort "redis" $policies.redisPort "kafka" $policies.kafkaPort "clickhouse" $policies.clickhousePort -}}
{{- range .stores }}
- to: {{- include (printf "weir.%sPeers" .) $.root | nindent 4 }}
  ports: [{ protocol: TCP, port: {{ get $ports . }} }]
{{- end }}
{{- end -}}

{{- define "weir.toNames" -}}
- to: {{- toYaml .Values.networkPolicies.dns | nindent 4 }}
  ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }]
{{- end -}}
