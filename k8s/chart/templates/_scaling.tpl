{{/* What a service is scaled by: the prometheus-adapter makes these of our metrics; CPU where it does not, and where nothing else is named. */}}
{{- define "weir.scalingMetrics" -}}
{{- $own := (index .root.Values.services .key).autoscaling -}}
{{- $metrics := list -}}
{{- $wanted := toString .root.Values.autoscaling.customMetrics -}}
{{- $known := .root.Capabilities.APIVersions -}}
{{- $hasCustom := or (eq $wanted "true") (and (eq $wanted "auto") (or ($known.Has "custom.metrics.k8s.io/v1beta1") ($known.Has "custom.metrics.k8s.io/v1beta2"))) -}}
{{- $hasExternal := or (eq $wanted "true") (and (eq $wanted "auto") ($known.Has "external.metrics.k8s.io/v1beta1")) -}}
{{- if $hasCustom -}}
{{- range $value, $metric := dict "requestsInFlight" "weir_requests_in_flight" "openStreams" "weir_streams_open" "eventLoopLag" "nodejs_eventloop_lag_p99_seconds" -}}
{{- with get $own $value -}}
{{- $target := dict "type" "AverageValue" "averageValue" (toString .) -}}
{{- $metrics = append $metrics (dict "type" "Pods" "pods" (dict "metric" (dict "name" $metric) "target" $target)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $hasExternal -}}
{{- with $own.watermarkLagSeconds -}}
{{- $target := dict "type" "Value" "value" (toString .) -}}
{{- $metrics = append $metrics (dict "type" "External" "external" (dict "metric" (dict "name" "weir_usage_watermark_lag_seconds_max") "target" $target)) -}}
{{- end -}}
{{- end -}}
{{- if not $metrics -}}
{{- $target := dict "type" "Utilization" "averageUtilization" (int $own.cpu) -}}
{{- $metrics = list (dict "type" "Resource" "resource" (dict "name" "cpu" "target" $target)) -}}
{{- end -}}
{{- toYaml $metrics -}}
{{- end -}}
