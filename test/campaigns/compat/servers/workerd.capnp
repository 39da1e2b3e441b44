# One worker on one socket, whose port the system chooses.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [
    (name = "workerd.js", esModule = embed "workerd.js"),
    (name = "api.js", esModule = embed "api.js"),
  ],
  compatibilityDate = "2026-10-01",
);
