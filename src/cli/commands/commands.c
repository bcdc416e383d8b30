/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of commands.
 */

#include "commands.h"
#include "ballast/base/str.h"
#include "cli/complete/complete.h"
#include "cli/manual/manual.h"
#include "cli/options/invocation.h"

const struct command commands[] = {
    {.name = "run",
     .arguments = "[NAMESPACE/NAME...]",
     .max_arguments = UINT32_MAX,
     .bit = FOR_RUN,
     .summary = "one cycle: find stuck replicas, plan, and write the new replica counts",
     .help = "Reads the fleet once, finds the replicas that do not run and the clusters that "
             "cannot run them, computes where they should be, writes that, and exits. "
             "Arguments limit the run to these workloads: NAMESPACE/NAME, or NAME or "
             "KIND/NAME with -n NAMESPACE. If one does not exist, the run fails before it "
             "writes anything.",
     .examples = {{"run", "Show the changes, ask, and write them."},
                  {"run --yes --records /var/lib/ballast",
                   "Write without asking, and keep a record for undo."},
                  {"run storefront -n shop --dry-run", "Look at one workload, and write nothing."}},
     .run = command_run,
     .completes = {{COMPLETES_WORKLOADS, NULL}}},
    {.name = "plan",
     .arguments = "[NAMESPACE/NAME...]",
     .max_arguments = UINT32_MAX,
     .bit = FOR_PLAN,
     .summary = "show what run would do, and why; write nothing",
     .help = "Reads, diagnoses and plans as run does, prints the plan, and writes nothing. "
             "Arguments limit the plan to these workloads: NAMESPACE/NAME, or NAME or "
             "KIND/NAME with -n NAMESPACE. If one does not exist, that is an error.",
     .examples = {{"plan", "Show what a run would do on the current context."},
                  {"plan -n shop -o table", "One namespace, a line for each workload."},
                  {"plan -f DIR --now +10m", "A fleet in files, ten minutes later."}},
     .run = command_plan,
     .completes = {{COMPLETES_WORKLOADS, NULL}}},
    {.name = "doctor",
     .arguments = "",
     .bit = FOR_DOCTOR,
     .format = REPORT_TEXT,
     .summary = "check whether a run can work here, and say what to do about each obstacle",
     .help = "Checks the way to the control plane, the identity and its rights, versions, the "
             "Lease, the CronJob, every member and how it is reached, clocks, and who else moves "
             "replicas. It writes nothing. Each line is fine or says what to do. The exit status "
             "is 1 if something must be done; warnings do not change it.",
     .examples = {{"doctor", "Check the current context."},
                  {"doctor --context prod --config ballast.yaml",
                   "Check what a run with this configuration needs."},
                  {"doctor --dry-run", "Check only what plan needs."}},
     .run = command_doctor},
    {.name = "explain",
     .arguments = "NAMESPACE/NAME...",
     .max_arguments = UINT32_MAX,
     .bit = FOR_EXPLAIN,
     .summary = "say why a workload is as it is, cluster by cluster; write nothing",
     .help = "Plans as run does, and says why each named workload is as it is and what a run would "
             "do about it. It shows the owner, the findings, each cluster with the filters' answer "
             "and its room, what was tried, and the history. With --lose it "
             "explains what would become of the workload after a loss. A workload or its binding "
             "is NAMESPACE/NAME, KIND/NAME with -n NAMESPACE, or NAME.",
     .examples = {{"explain shop/storefront", "One workload, by namespace and name."},
                  {"explain shop/storefront --lose frankfurt",
                   "What would become of it without that cluster."},
                  {"explain storefront -o html > storefront.html", "A page for a browser."}},
     .run = command_explain,
     .completes = {{COMPLETES_WORKLOADS, NULL}}},
    {.name = "simulate",
     .arguments = "[NAMESPACE/NAME...]",
     .max_arguments = UINT32_MAX,
     .bit = FOR_SIMULATE,
     .format = REPORT_TEXT,
     .summary = "show what becomes of the replicas if clusters are lost, drained, added, resized",
     .help = "Reads the fleet as plan does, changes it as the flags say, plans it, and shows what "
             "becomes of whom. It writes nothing. With --lose-each it does so for each cluster, "
             "region, provider or zone. Arguments limit it to the workloads or bindings of these "
             "names.",
     .examples = {{"simulate --lose frankfurt", "What happens if a cluster is lost."},
                  {"simulate --drain london", "The steps that empty a cluster."},
                  {"simulate --lose-each region --max-homeless 0",
                   "Check that the fleet survives the loss of any region."}},
     .run = command_simulate,
     .completes = {{COMPLETES_WORKLOADS, NULL}}},
    {.name = "diff",
     .arguments = "SNAPSHOT SNAPSHOT|live",
     .max_arguments = 2,
     .bit = FOR_DIFF,
     .summary = "show what changed between two looks at the fleet, and who changed it",
     .help =
         "Reads two fleets in files, as snapshot writes them and --fleet takes them. Shows what "
         "changed from the first to the second: clusters, the room in them, where replicas "
         "are, what was found. The second may be live: the control plane as it is now. A "
         "change counts as Ballast's only if --records or the history on the binding prove it. "
         "It writes nothing.",
     .examples = {{"diff before/ live", "What changed since a snapshot."},
                  {"diff before/ after/ --records /var/lib/ballast",
                   "What Ballast changed, and what others did."},
                  {"diff before/ after/ -n shop -o json", "One namespace, for a program."}},
     .run = command_diff,
     .completes = {{COMPLETES_FILES, NULL}, {COMPLETES_FILES, look_words}}},
    {.name = "history",
     .arguments = "[NAMESPACE/NAME]",
     .max_arguments = 1,
     .bit = FOR_HISTORY,
     .format = REPORT_TEXT,
     .summary = "show what runs did, and how to take it back",
     .help =
         "Reads the records of runs. For each run it shows the clusters that were down, each move "
         "with its reason, and the configuration. It also shows what was undone since, and the "
         "command that takes the run back. Runs that wrote nothing leave no record. A workload or "
         "its binding is NAMESPACE/NAME, KIND/NAME with -n NAMESPACE, or NAME. Without --records, "
         "Ballast reads the records of the CronJob in the control plane.",
     .examples = {{"history", "The runs of the CronJob, the latest first."},
                  {"history shop/storefront --since 24h",
                   "The runs of the last day that changed one workload."},
                  {"history --records /var/lib/ballast", "The records in a directory."}},
     .run = command_history,
     .completes = {{COMPLETES_WORKLOADS, NULL}}},
    {.name = "undo",
     .arguments = "ID|latest|FILE|DIR...",
     .max_arguments = UINT32_MAX,
     .bit = FOR_UNDO,
     .summary = "put back what a run changed, where nobody changed it since",
     .help =
         "Reads the records that runs left, and the fleet, and writes the split that each "
         "binding had before. Arguments are records: the ID that history shows, a file, the "
         "latest one of a directory, or the latest one of --records. Without --records, the "
         "records are those of the CronJob in the control plane. Several are taken back "
         "together, the latest first. "
         "A binding that changed since, or that cannot go back, stays as it is: the report says "
         "why, and the exit status is 1. For a while, the cooldown, runs leave alone what was "
         "put back.",
     .examples = {{"undo latest --dry-run", "What an undo of the CronJob's last run does."},
                  {"undo latest --records /var/lib/ballast", "Show it, ask, and put it back."},
                  {"undo latest --records /var/lib/ballast --any-room",
                   "Put replicas back also where there is no room now."}},
     .run = command_undo,
     .completes = {{COMPLETES_FILES, NULL}}},
    {.name = "rebalance",
     .arguments = "NAMESPACE/NAME...",
     .max_arguments = UINT32_MAX,
     .bit = FOR_REBALANCE,
     .summary = "ask Karmada to divide workloads anew, by a WorkloadRebalancer",
     .help =
         "Creates a WorkloadRebalancer that names the workloads, so that Karmada's own scheduler "
         "divides them anew. With --dry-run, and for a fleet in files, it prints the object "
         "instead. A workload or its binding is NAMESPACE/NAME, KIND/NAME with -n NAMESPACE, or "
         "NAME. Ballast itself heeds such objects, too: see RescheduleRequested.",
     .examples = {{"rebalance shop/storefront", "Ask Karmada to divide one workload anew."},
                  {"rebalance deploy/storefront -n shop --dry-run",
                   "Print the WorkloadRebalancer only."},
                  {"rebalance shop/storefront shop/search --ttl 1h",
                   "Two workloads; Karmada deletes the object after an hour."}},
     .run = command_rebalance,
     .completes = {{COMPLETES_WORKLOADS, NULL}}},
    {.name = "snapshot",
     .arguments = "DIR",
     .max_arguments = 1,
     .bit = FOR_SNAPSHOT,
     .summary = "write the fleet to files, to plan from later or elsewhere",
     .help = "Reads the fleet as plan does, from files with --fleet. Writes what a decision needs "
             "to DIR, as a fleet directory: plan --fleet DIR answers as plan does now. Nothing "
             "else goes in: no Secrets, environment variables, command lines, annotations of "
             "others. DIR must be empty or not exist.",
     .examples = {{"snapshot before", "Write the fleet to a new directory."},
                  {"snapshot --redact report", "Without names, to attach to a bug report."},
                  {"snapshot -f before copy", "From files, to other files."}},
     .run = command_snapshot,
     .completes = {{COMPLETES_DIRECTORIES, NULL}}},
    {.name = "observe",
     .arguments = "",
     .bit = FOR_OBSERVE,
     .summary = "write what the members of one shard show, for a plan elsewhere",
     .help = "Looks into the members of shard I of N, and puts what a decision needs of them into "
             "a file of DIR, or into ConfigMaps: observe --shard 3/7 --summaries DIR. Once all "
             "shards did, plan --summaries DIR reads the control plane itself and the members from "
             "there, and "
             "answers as plan does that looks into all of them. A member without a summary of use "
             "is not seen, and the plan says why.",
     .examples = {{"observe --shard 3/7 --summaries /summaries",
                   "Read the members of one of seven shards."},
                  {"observe --summaries configmap:ballast",
                   "Read all members, and write ConfigMaps."},
                  {"plan --summaries /summaries", "Plan with the summaries of all shards."}},
     .run = command_observe},
    {.name = "migrate",
     .arguments = "DIR|FILE|-",
     .max_arguments = 1,
     .bit = FOR_MIGRATE,
     .summary = "print a fleet of KubeFed as manifests for Karmada",
     .help = "Reads the manifests of a KubeFed control plane from a fleet directory, one file or "
             "standard input. Prints resource templates, and policies that place them in Karmada "
             "as they are placed today, in YAML or, with -o json, as one List. What cannot be "
             "carried over is logged, and stands at the top of the YAML; then the exit status is "
             "1.",
     .examples = {{"migrate DIR --to karmada > karmada.yaml", "A fleet directory."},
                  {"migrate --to karmada -o json fleet.yaml", "One file, as a List in JSON."},
                  {"migrate - --to karmada < fleet.yaml", "From standard input."}},
     .run = command_migrate,
     .completes = {{COMPLETES_FILES, NULL}}},
    {.name = "config",
     .arguments = "schema|check FILE...|convert FILE|show",
     .max_arguments = UINT32_MAX,
     .bit = FOR_CONFIG,
     .summary = "check, convert or show a configuration, or print its JSON Schema",
     .help = "With check, says of each file whether it is a valid configuration, and if not, what "
             "is wrong and where; then the exit status is 64. With schema, prints the "
             "configuration's JSON Schema (2020-12), which editors complete and check with. With "
             "convert, prints a file in the newest apiVersion, and all other text stays. With "
             "show, prints every value that is in force, by --config, the flags of run and the "
             "defaults, and where it comes from.",
     .examples = {{"config check ballast.yaml", "Check a configuration file."},
                  {"config convert ballast.yaml > ballast.new.yaml",
                   "Write it in the newest apiVersion."},
                  {"config show --config configmap:karmada-system/ballast",
                   "The values of the CronJob, and where each comes from."}},
     .run = command_config,
     .completes = {{COMPLETES_WORDS, config_verbs}, {COMPLETES_FILES, NULL}}},
    {.name = "version",
     .arguments = "",
     .bit = FOR_VERSION,
     .summary = "print the version of this program",
     .help = "Prints the version. With -o json or yaml it also prints the commit, its date, "
             "and the libraries in use.",
     .examples = {{"version", "The version."},
                  {"version -o json", "With commit, date and libraries."},
                  {"--version", "The same as version."}},
     .run = command_version},
    {.name = "help",
     .arguments = "[COMMAND|flags|configuration|ladder|metrics|man [COMMAND]]",
     .max_arguments = 2,
     .bit = FOR_HELP,
     .summary = "print help on a command, or a reference",
     .help = "Prints help on a command. Prints a reference in Markdown: flags, the configuration "
             "file, the planner's ladder, metrics. Prints a page of the manual, in roff.",
     .examples = {{"help plan", "Examples and the usual flags of a command."},
                  {"plan --help=all", "Every flag of a command."},
                  {"help configuration", "The keys of the configuration file."}},
     .run = command_help,
     .completes = {{COMPLETES_TOPICS, NULL}}},
    {.name = "completion",
     .arguments = "bash|zsh|fish",
     .max_arguments = 1,
     .bit = FOR_COMPLETION,
     .summary = "print a script that completes command lines in a shell",
     .help = "Prints a script for bash, zsh or fish. With it the shell completes commands, flags "
             "and their values. Contexts are those of the kubeconfig; clusters, namespaces and "
             "workloads those of the fleet that the command line names. It takes less than a "
             "second, or completes nothing.",
     .examples = {{"completion bash > /etc/bash_completion.d/ballast", "For all users of bash."},
                  {"completion zsh > ~/.zfunc/_ballast", "For zsh."},
                  {"completion fish > ~/.config/fish/completions/ballast.fish", "For fish."}},
     .run = command_completion,
     .completes = {{COMPLETES_WORDS, shell_words}}},
    {.name = "__complete",
     .arguments = "WORD...",
     .max_arguments = UINT32_MAX,
     .bit = FOR_COMPLETE,
     .summary = "print what may stand in place of the last word",
     .help = "For the scripts that completion prints, and for kubectl_complete-ballast.",
     .run = command_complete,
     .is_hidden = true,
     .takes_all = true},
    {.name = NULL},
};
