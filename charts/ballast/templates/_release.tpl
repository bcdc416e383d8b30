{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}
{{- /*
What a release consists of: kustomizations of cronjob/ by .Values.mode and .Values.components, and then
what an overlay of the user's own would change.
*/ -}}

{{- /* The kustomizations of a mode. */ -}}
{{- define "ballast.kustomizations" -}}
{{- $with := .Values.components -}}
{{- if eq .Values.mode "kubefed-member" }} kubefed/members
{{- else if eq .Values.mode "karmada" }}
{{- if not $with.projectedToken }} karmada/identity{{ end }} karmada/rbac
{{- if $with.members }} karmada/members{{ end }}
{{- else if and (eq .Values.mode "same-cluster") (not $with.members) }} overlays/own-cluster karmada/rbac
{{- else }} overlays/{{ .Values.mode }}
{{- end }}
{{- if has .Values.mode (list "karmada" "same-cluster") }}
{{- if $with.labels }} karmada/labels{{ end }}
{{- if $with.estimators }} karmada/estimators{{ end }}
{{- if $with.shardsIdentity }} karmada/shards{{ end }}
{{- end }}
{{- end -}}

{{- /* The components of what runs, in an order in which each finds what it changes. */ -}}
{{- define "ballast.components" -}}
{{- $with := .Values.components -}}
{{- range list "podFailurePolicy" "estimators" "projectedToken" "records" "shards" "shardsPerIndex" "shardsIdentity" "monitoring" "dryRun" -}}
{{- /* shards-per-index brings shards along */ -}}
{{- if and (get $with .) (not (and (eq . "shards") $with.shardsPerIndex)) }} {{ kebabcase . }}{{ end -}}
{{- end -}}
{{- end -}}

{{- /* root state kustomizations components: state.objects, with all of it as this release has it. */ -}}
{{- define "ballast.assemble" -}}
{{- $root := .root -}}
{{- range splitList " " (trim .kustomizations) -}}
{{- include "ballast.build" (dict "files" $root.Files "dir" (printf "cronjob/%s" .) "state" $.state) -}}
{{- end -}}
{{- range compact (splitList " " .components) -}}
{{- include "ballast.build" (dict "files" $root.Files "dir" (printf "cronjob/components/%s" .) "state" $.state) -}}
{{- end -}}
{{- range $object := .state.objects -}}
{{- include "ballast.place" (dict "object" $object "namespace" $root.Release.Namespace) -}}
{{- include "ballast.label" (dict "of" $object "pairs" (dict
      "app.kubernetes.io/instance" $root.Release.Name
      "app.kubernetes.io/managed-by" $root.Release.Service
      "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_"))) -}}
{{- if eq $object.kind "CronJob" -}}
{{- with $root.Values.schedule -}}{{- $_ := set $object.spec "schedule" . -}}{{- end -}}
{{- if $root.Values.suspend -}}{{- $_ := set $object.spec "suspend" true -}}{{- end -}}
{{- include "ballast.pod" (dict "root" $root "spec" $object.spec.jobTemplate.spec.template.spec) -}}
{{- else if eq $object.kind "Job" -}}
{{- include "ballast.pod" (dict "root" $root "spec" $object.spec.template.spec) -}}
{{- /* A Job's template cannot be changed: one that differs has another name. */ -}}
{{- $_ := set $object.metadata "name" (printf "%s-%s" $object.metadata.name (toJson $object.spec | sha256sum | trunc 8)) -}}
{{- else if and (eq $object.kind "ConfigMap") (eq $object.metadata.name "ballast") $root.Values.config -}}
{{- $config := get $object.data "ballast.yaml" | fromYaml -}}
{{- include "ballast.merge" (dict "to" $config "from" $root.Values.config) -}}
{{- $_ := set $object.data "ballast.yaml" (printf "%s\n" (toYaml $config)) -}}
{{- else if eq $object.kind "PersistentVolumeClaim" -}}
{{- with $root.Values.records.storageClassName -}}{{- $_ := set $object.spec "storageClassName" . -}}{{- end -}}
{{- with $root.Values.records.size -}}{{- $_ := set $object.spec.resources.requests "storage" . -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* object namespace: into the release's namespace, with the service accounts that it names. */ -}}
{{- define "ballast.place" -}}
{{- if not (hasPrefix "Cluster" .object.kind) -}}
{{- $_ := set .object.metadata "namespace" .namespace -}}
{{- end -}}
{{- range .object.subjects -}}
{{- $_ := set . "namespace" $.namespace -}}
{{- end -}}
{{- end -}}

{{- /* root spec: a pod as the values have it. */ -}}
{{- define "ballast.pod" -}}
{{- $values := .root.Values -}}
{{- $container := first .spec.containers -}}
{{- $image := $values.image -}}
{{- $version := ternary (printf "@%s" $image.digest) (printf ":%s" ($image.tag | default .root.Chart.AppVersion)) (ne "" $image.digest) -}}
{{- $_ := set $container "image" (printf "%s%s" $image.repository $version) -}}
{{- with $image.pullPolicy -}}{{- $_ := set $container "imagePullPolicy" . -}}{{- end -}}
{{- with $image.pullSecrets -}}{{- $_ := set $.spec "imagePullSecrets" . -}}{{- end -}}
{{- range $word := list "nodeSelector" "tolerations" "affinity" "priorityClassName" -}}
{{- with get $values $word -}}{{- $_ := set $.spec $word . -}}{{- end -}}
{{- end -}}
{{- $args := list -}}
{{- range $container.args -}}
{{- $args = append $args (ternary (printf "--lease-namespace=%s" $.root.Release.Namespace) . (hasPrefix "--lease-namespace=" .)) -}}
{{- end -}}
{{- if not $values.components.members -}}{{- $args = append $args "--sources=none" -}}{{- end -}}
{{- with $values.resources -}}
{{- include "ballast.merge" (dict "to" $container.resources "from" .) -}}
{{- $args = append $args (printf "--memory-limit=%v" $container.resources.limits.memory) -}}
{{- end -}}
{{- $_ := set $container "args" (concat $args $values.extraArgs) -}}
{{- range .spec.volumes -}}
{{- $sources := list -}}
{{- with .secret -}}{{- $sources = append $sources (dict "of" . "key" "secretName") -}}{{- end -}}
{{- with .projected -}}{{- range .sources -}}{{- with .secret -}}{{- $sources = append $sources (dict "of" . "key" "name") -}}{{- end -}}{{- end -}}{{- end -}}
{{- range $sources -}}
{{- if eq (get .of .key) "ballast-kubeconfig" -}}{{- $_ := set .of .key $values.kubeconfigSecret -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "ballast.runs" -}}
{{- if not (has .Values.mode (list "karmada" "kubefed-member")) }}yes{{ end -}}
{{- end -}}

{{- /* What the cluster must be able to do; a server that is too old would leave out what it does not know. */ -}}
{{- define "ballast.check" -}}
{{- if and (has .Values.mode (list "karmada" "same-cluster")) (ne .Release.Namespace "karmada-system") -}}
{{- fail (printf "mode %s: give --namespace karmada-system, where Ballast holds its Lease; this release is in %s" .Values.mode .Release.Namespace) -}}
{{- end -}}
{{- $needs := dict -}}
{{- if include "ballast.runs" . -}}
{{- $_ := set $needs "1.22" "the CronJob" -}}
{{- if .Values.components.podFailurePolicy -}}{{- $_ := set $needs "1.26" "components.podFailurePolicy" -}}{{- end -}}
{{- if .Values.components.shardsPerIndex -}}{{- $_ := set $needs "1.31" "components.shardsPerIndex" -}}{{- end -}}
{{- end -}}
{{- range $version, $what := $needs -}}
{{- if semverCompare (printf "<%s.0-0" $version) $.Capabilities.KubeVersion.Version -}}
{{- fail (printf "%s needs Kubernetes %s or later; this cluster is %s" $what $version $.Capabilities.KubeVersion.Version) -}}
{{- end -}}
{{- end -}}
{{- end -}}
