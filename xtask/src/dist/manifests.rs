//! Tests of the files for containers: compose files and Kubernetes objects.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use super::image::tag;
use crate::process::{output, root, succeeds};

/// Prints the documents of a YAML file as JSON.
const READ: &str = "import json, sys, yaml\n\
                    print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))";
const LABELS: &str = "app.kubernetes.io/name";

/// The documents of a file in `deploy/`, read by PyYAML.
fn documents(file: &str) -> Vec<Value> {
    let has_yaml = |python: &&str| succeeds(Command::new(python).args(["-c", "import yaml"]));
    let python = ["python3", "/usr/bin/python3"].into_iter().find(has_yaml);
    let python = python.expect("PyYAML is installed: apt-get install python3-yaml");
    let path = root().join("deploy").join(file);
    let read = output(Command::new(python).args(["-c", READ]).arg(path)).unwrap();
    serde_json::from_str(&read).unwrap()
}

fn only(file: &str) -> Value {
    let mut documents = documents(file);
    assert_eq!(documents.len(), 1, "{file}");
    documents.remove(0)
}

/// Services of a compose file that run the program, by name.
fn nodes(compose: &Value) -> Vec<(&String, &Value)> {
    let services = compose["services"].as_object().unwrap();
    services.iter().filter(|(name, _)| name.starts_with("flagship")).collect()
}

#[test]
fn compose_files_run_this_version_restricted() {
    for (file, count) in [("compose.yaml", 1), ("compose.scale.yaml", 2)] {
        let compose = only(file);
        let nodes = nodes(&compose);
        assert_eq!(nodes.len(), count, "{file}");
        for (name, node) in nodes {
            assert_eq!(node["image"], tag(), "{file}: {name}");
            assert_eq!(node["read_only"], true, "{file}: {name}");
            assert_eq!(node["cap_drop"], json!(["ALL"]), "{file}: {name}");
            assert_eq!(node["ulimits"]["core"], 0, "{file}: {name}");
            let check = json!(["CMD", "/usr/local/bin/flagship", "health"]);
            assert_eq!(node["healthcheck"]["test"], check, "{file}: {name}");
        }
        // Every volume and network that a service names is declared, and the other way round.
        let services = compose["services"].as_object().unwrap().values();
        let mut used = BTreeSet::new();
        for service in services {
            for volume in service["volumes"].as_array().into_iter().flatten() {
                let name = volume.as_str().unwrap().split(':').next().unwrap();
                used.extend((!name.starts_with('.')).then(|| name.to_owned()));
            }
            assert_eq!(service["networks"], json!(["site"]), "{file}");
            for other in service["depends_on"].as_object().into_iter().flatten() {
                let is_there = compose["services"][other.0].is_object();
                assert!(is_there, "{file}: depends on {}", other.0);
            }
        }
        let declared: BTreeSet<String> =
            compose["volumes"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(used, declared, "{file}: volumes");
    }
}

#[test]
fn only_the_proxy_is_public() {
    let ports = |compose: &Value| -> Vec<String> {
        let services = compose["services"].as_object().unwrap();
        let ports = services.iter().flat_map(|(name, service)| {
            let ports = service["ports"].as_array().into_iter().flatten();
            ports.map(move |port| format!("{name} {}", port.as_str().unwrap()))
        });
        ports.collect()
    };
    assert_eq!(ports(&only("compose.yaml")), ["flagship 127.0.0.1:8080:8080"]);
    assert_eq!(ports(&only("compose.scale.yaml")), ["caddy 80:80", "caddy 443:443"]);
    let caddy = std::fs::read_to_string(root().join("deploy/Caddyfile.scale")).unwrap();
    let scale = only("compose.scale.yaml");
    for (name, _) in nodes(&scale) {
        assert!(caddy.contains(&format!(" {name}:8080")), "{name} is behind the proxy");
    }
}

#[test]
fn kubernetes_objects_refer_to_each_other() {
    let [deployment, disruption, ingress, service, storage] =
        ["deployment", "disruption", "ingress", "service", "storage"]
            .map(|name| only(&format!("kubernetes/{name}.yaml")));
    let kinds = [&deployment, &disruption, &ingress, &service, &storage];
    let kinds = kinds.map(|object| object["kind"].as_str().unwrap());
    let expected =
        ["Deployment", "PodDisruptionBudget", "Ingress", "Service", "PersistentVolumeClaim"];
    assert_eq!(kinds, expected);

    let pod = &deployment["spec"]["template"];
    let name = &pod["metadata"]["labels"][LABELS];
    for labels in [
        &deployment["spec"]["selector"]["matchLabels"],
        &disruption["spec"]["selector"]["matchLabels"],
        &service["spec"]["selector"],
    ] {
        assert_eq!(&labels[LABELS], name, "{labels}");
    }
    let container = &pod["spec"]["containers"][0];
    assert_eq!(container["image"], tag());
    assert_eq!(container["securityContext"]["readOnlyRootFilesystem"], true);
    assert_eq!(pod["spec"]["securityContext"]["runAsNonRoot"], true);
    for (probe, path) in
        [("startupProbe", "/healthz"), ("livenessProbe", "/healthz"), ("readinessProbe", "/readyz")]
    {
        assert_eq!(container[probe]["httpGet"], json!({"path": path, "port": "http"}), "{probe}");
    }
    let port = &container["ports"][0];
    assert_eq!(port, &json!({"name": "http", "containerPort": 8080}));
    let served = &service["spec"]["ports"][0];
    assert_eq!((&served["targetPort"], &served["name"]), (&json!("http"), &json!("http")));
    let backend = &ingress["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"];
    assert_eq!(backend["name"], service["metadata"]["name"]);
    assert_eq!(backend["port"]["name"], served["name"]);
    let claim = &pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"];
    assert_eq!(claim, &storage["metadata"]["name"]);
    let volumes = pod["spec"]["volumes"].as_array().unwrap();
    let mounts = container["volumeMounts"].as_array().unwrap();
    let names = |list: &[Value]| -> BTreeSet<String> {
        list.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(volumes), names(mounts));
}

#[test]
fn the_image_runs_the_program_without_a_shell() {
    let text = std::fs::read_to_string(root().join("deploy/Containerfile")).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines[0], "FROM scratch");
    assert!(!lines.iter().any(|line| line.starts_with("RUN")), "nothing can run in scratch");
    for line in ["USER 65532:65532", "VOLUME /data", "ENTRYPOINT [\"/usr/local/bin/flagship\"]"] {
        assert!(lines.contains(&line), "{line}");
    }
    assert!(text.contains(&format!("`{}`", tag())), "the version of the example");
}
