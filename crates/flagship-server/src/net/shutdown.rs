//! The shutdown signal that tasks and connections wait for.

use tokio::sync::watch;

/// Becomes true once, when the task or connection that holds it must end.
pub type Shutdown = watch::Receiver<bool>;

pub async fn shutdown_requested(shutdown: &mut Shutdown) {
    // An error means that the sender was dropped, which also means shutdown.
    drop(shutdown.wait_for(|is_requested| *is_requested).await);
}
