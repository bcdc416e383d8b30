{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}
{{- /*
As much of kustomize as cronjob/ uses, so that this chart and `kubectl apply -k` have one source. `make
chart` compares what both make of it. A word that is not known here is an error.

Templates return text alone. These change the dictionary that they are given, and return nothing:

  ballast.build  files dir state      state.objects, with what the kustomization or component dir makes
  ballast.load   files path state     state.objects, with the objects of a file
  ballast.patch  objects entry files dir   the objects, patched
  ballast.merge  to from              to, after a strategic merge
  ballast.change object operation     object, after one operation of a JSON patch
*/ -}}

{{- define "ballast.build" -}}
{{- $file := .files.Get (printf "%s/kustomization.yaml" .dir) | fromYaml -}}
{{- range $word, $_ := omit $file "apiVersion" "kind" "namespace" "labels" "resources" "components" "patches" "configMapGenerator" -}}
{{- fail (printf "%s/kustomization.yaml: %s is not known to this chart" $.dir $word) -}}
{{- end -}}
{{- $isComponent := eq "Component" (required (printf "%s: no kustomization" .dir) $file.kind) -}}
{{- $mine := dict "objects" (ternary .state.objects list $isComponent) -}}
{{- range $file.resources -}}
{{- $path := clean (printf "%s/%s" $.dir .) -}}
{{- $what := ternary "ballast.load" "ballast.build" (hasSuffix ".yaml" $path) -}}
{{- include $what (dict "files" $.files "path" $path "dir" $path "state" $mine) -}}
{{- end -}}
{{- range $file.configMapGenerator -}}
{{- $data := dict -}}
{{- range .files -}}
{{- $_ := set $data . ($.files.Get (printf "%s/%s" $.dir .)) -}}
{{- end -}}
{{- $metadata := dict "name" .name "labels" (deepCopy (.options.labels | default dict)) -}}
{{- $_ := set $mine "objects" (append $mine.objects (dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" $metadata "data" $data)) -}}
{{- end -}}
{{- range $file.components -}}
{{- include "ballast.build" (dict "files" $.files "dir" (clean (printf "%s/%s" $.dir .)) "state" $mine) -}}
{{- end -}}
{{- range $file.patches -}}
{{- include "ballast.patch" (dict "objects" $mine.objects "entry" . "files" $.files "dir" $.dir) -}}
{{- end -}}
{{- range $label := $file.labels -}}
{{- range $object := $mine.objects -}}
{{- include "ballast.label" (dict "of" $object "pairs" $label.pairs) -}}
{{- if and $label.includeTemplates $object.spec -}}
{{- with $object.spec.jobTemplate -}}{{- include "ballast.label" (dict "of" . "pairs" $label.pairs) -}}{{- end -}}
{{- with ($object.spec.jobTemplate | default $object).spec.template -}}{{- include "ballast.label" (dict "of" . "pairs" $label.pairs) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $_ := set .state "objects" (ternary $mine.objects (concat .state.objects $mine.objects) $isComponent) -}}
{{- end -}}

{{- define "ballast.load" -}}
{{- $text := required (printf "%s is not in this chart" .path) (.files.Get .path) -}}
{{- range splitList "\n---\n" $text -}}
{{- $object := fromYaml . -}}
{{- if $object.Error -}}{{- fail (printf "%s: %s" $.path $object.Error) -}}{{- end -}}
{{- if $object -}}{{- $_ := set $.state "objects" (append $.state.objects $object) -}}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "ballast.label" -}}
{{- if not .of.metadata -}}{{- $_ := set .of "metadata" dict -}}{{- end -}}
{{- $_ := set .of.metadata "labels" (merge dict .pairs (.of.metadata.labels | default dict)) -}}
{{- end -}}

{{- define "ballast.patch" -}}
{{- $patches := dict "objects" list -}}
{{- $target := .entry.target -}}
{{- if not $target -}}
{{- include "ballast.load" (dict "files" .files "path" (clean (printf "%s/%s" .dir .entry.path)) "state" $patches) -}}
{{- end -}}
{{- range $object := .objects -}}
{{- if $target -}}
{{- if and (eq $object.kind $target.kind) (eq $object.metadata.name $target.name) -}}
{{- range fromYamlArray $.entry.patch -}}
{{- include "ballast.change" (dict "object" $object "operation" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $patches.objects -}}
{{- if and (eq $object.kind .kind) (eq $object.metadata.name .metadata.name) -}}
{{- include "ballast.merge" (dict "to" $object "from" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* null takes away; of lists, those of objects with a key are merged, the others replaced. */ -}}
{{- define "ballast.merge" -}}
{{- $keys := dict "containers" "name" "volumes" "name" "volumeMounts" "mountPath" -}}
{{- range $word, $value := .from -}}
{{- $old := get $.to $word -}}
{{- if kindIs "invalid" $value -}}
{{- $_ := unset $.to $word -}}
{{- else if and (kindIs "map" $value) (kindIs "map" $old) -}}
{{- include "ballast.merge" (dict "to" $old "from" $value) -}}
{{- else if and (hasKey $keys $word) (kindIs "slice" $old) -}}
{{- $key := get $keys $word -}}
{{- $items := list -}}
{{- range $item := $value -}}
{{- $same := deepCopy $item -}}
{{- range $old -}}
{{- if eq (get . $key) (get $item $key) -}}
{{- $same = . -}}
{{- include "ballast.merge" (dict "to" . "from" $item) -}}
{{- end -}}
{{- end -}}
{{- $items = append $items $same -}}
{{- end -}}
{{- range $item := $old -}}
{{- $isNamed := false -}}
{{- range $value -}}{{- if eq (get . $key) (get $item $key) -}}{{- $isNamed = true -}}{{- end -}}{{- end -}}
{{- if not $isNamed -}}{{- $items = append $items $item -}}{{- end -}}
{{- end -}}
{{- $_ := set $.to $word $items -}}
{{- else -}}
{{- $_ := set $.to $word $value -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "ballast.change" -}}
{{- $way := splitList "/" (trimPrefix "/" .operation.path) -}}
{{- $last := last $way -}}
{{- $way = initial $way -}}
{{- $appends := and (eq .operation.op "add") (eq $last "-") -}}
{{- if $appends -}}
{{- $last = last $way -}}
{{- $way = initial $way -}}
{{- end -}}
{{- $at := .object -}}
{{- range $way -}}
{{- if kindIs "slice" $at -}}{{- $at = index $at (int .) -}}{{- else -}}{{- $at = get $at . -}}{{- end -}}
{{- end -}}
{{- if not (and (kindIs "map" $at) (has .operation.op (list "add" "replace"))) -}}
{{- fail (printf "%s of %s is not known to this chart" .operation.op .operation.path) -}}
{{- end -}}
{{- if $appends -}}
{{- $_ := set $at $last (append (get $at $last) .operation.value) -}}
{{- else -}}
{{- $_ := set $at $last .operation.value -}}
{{- end -}}
{{- end -}}
