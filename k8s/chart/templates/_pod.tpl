{{/* The pod of a service: {root, key, service}. */}}
{{- define "weir.pod" -}}
{{- $root := .root }}
{{- $values := .root.Values }}
{{- $service := .service }}
{{- $own := index $values.services .key }}
{{- $files := include "weir.files" . | fromYamlArray }}
metadata:
  labels:
    app.kubernetes.io/name: {{ $service.name }}
    {{- include "weir.podLabels" $root | nindent 4 }}
  annotations:
    # A change of settings restarts the pods that read them.
    checksum/settings: {{ include "weir.settings" . | sha256sum }}
    {{- if and $service.catalog $values.catalog.document (not $values.catalog.existingConfigMap) }}
    checksum/catalog: {{ $values.catalog.document | toJson | sha256sum }}
    {{- end }}
    {{- with merge (dict) ($own.podAnnotations | default dict) $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ $values.serviceAccount.name }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext: {{- include "weir.podSecurityContext" $root | nindent 4 }}
  # The preStop, DRAIN_DELAY_MS and DRAIN_TIMEOUT_MS, 10 s for the journal, 10 s to spare.
  terminationGracePeriodSeconds: {{ add $values.drain.preStopSeconds $values.drain.delaySeconds $values.drain.timeoutSeconds 20 }}
  {{- include "weir.scheduling" (dict "Values" $values "affinity" $own.affinity) | nindent 2 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: {{ $values.topologySpread.zone }}
      labelSelector: { matchLabels: { app.kubernetes.io/name: {{ $service.name }} } }
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: {{ $values.topologySpread.node }}
      labelSelector: { matchLabels: { app.kubernetes.io/name: {{ $service.name }} } }
  containers:
    - name: {{ $service.name }}
      image: {{ include "weir.image" (dict "root" $root "step" $service.step) }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: [apps/{{ $service.name }}/dist/main.js]
      ports: [{ name: http, containerPort: {{ $service.port }} }, { name: metrics, containerPort: {{ $service.metricsPort }} }]
      envFrom:
        - configMapRef: { name: {{ $service.name }} }
        {{- if $service.providers }}
        - secretRef: { name: {{ $values.providers.existingSecret }}, optional: true }
        {{- end }}
      env: {{- include "weir.environment" . | nindent 8 }}
      securityContext: {{- include "weir.containerSecurityContext" $root | nindent 8 }}
      resources: {{- toYaml $own.resources | nindent 8 }}
      startupProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 2, failureThreshold: 60 }
      # Where no caller can crowd them out; and only whether the process lives: no pod is killed because a store is away.
      livenessProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 6 }
      readinessProbe: { httpGet: { path: /readyz, port: metrics }, periodSeconds: 3, timeoutSeconds: 3, failureThreshold: 2 }
      lifecycle:
        # Until no balancer sends here any more; then the service drains by itself.
        preStop: { sleep: { seconds: {{ $values.drain.preStopSeconds }} } }
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: secrets, mountPath: /run/weir, readOnly: true }
        {{- if $own.journal }}
        - { name: journal, mountPath: /var/lib/weir }
        {{- end }}
        {{- range $files }}
        - { name: {{ .name }}, mountPath: {{ dir .path }}, readOnly: true }
        {{- end }}
        {{- range $values.mounts }}
        - { name: {{ .name }}, mountPath: {{ .mountPath }}, readOnly: true }
        {{- end }}
    {{- with $own.sidecars }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: {{ $own.tmpSize }} }
    - name: secrets
      projected:
        defaultMode: 0440
        sources: {{- include "weir.secretSources" . | nindent 10 }}
    {{- range $files }}
    - name: {{ .name }}
      {{- toYaml .volume | nindent 6 }}
    {{- end }}
    {{- range $values.mounts }}
    - name: {{ .name }}
      {{- if .secret }}
      secret: { secretName: {{ .secret }}, defaultMode: 0440 }
      {{- else }}
      configMap: { name: {{ .configMap }} }
      {{- end }}
    {{- end }}
{{- end -}}
