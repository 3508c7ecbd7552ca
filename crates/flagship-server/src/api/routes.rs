//! Route lists. Each list generates two functions: one for the router and one for the OpenAPI
//! description. The program embeds the finished description, so only tests call the second function
//! and the linker drops it.

use axum::Router;
use axum::handler::Handler;
use axum::routing::MethodRouter;
use utoipa_axum::PathItemExt;

use crate::node::state::App;

/// Routes with their handlers.
#[derive(Default)]
pub struct Routes {
    pub router: Router<App>,
    /// Path templates of the routes.
    pub templates: Vec<String>,
}

impl Routes {
    /// Adds the handler of operation `P`, at its path and for its methods.
    pub fn add<P: utoipa::Path, H, T>(mut self, handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        let path = P::path();
        let filters = P::methods().into_iter().map(|method| method.to_method_filter());
        let handlers = filters
            .fold(MethodRouter::new(), |handlers, filter| handlers.on(filter, handler.clone()));
        self.router = self.router.route(&path, handlers);
        self.templates.push(path);
        self
    }

    /// Merges these routes with those of `other`.
    pub fn merge(mut self, other: Self) -> Self {
        self.templates.extend(other.templates);
        Self { router: self.router.merge(other.router), ..self }
    }
}

/// Generates the functions `$served` and `$described` from a list of handlers.
macro_rules! routes {
    (
        $(#[$doc:meta])*
        $served:ident, $described:ident: $($module:ident::$handler:ident),+ $(,)?
    ) => {
        $(#[$doc])*
        pub fn $served() -> $crate::api::routes::Routes {
            utoipa_axum::paste! {
                $crate::api::routes::Routes::default()
                    $(.add::<$module::[<__path_ $handler>], _, _>($module::$handler))+
            }
        }

        $(#[$doc])*
        pub fn $described() -> utoipa_axum::router::OpenApiRouter<$crate::node::state::App> {
            utoipa_axum::router::OpenApiRouter::new()
                $(.routes(utoipa_axum::routes!($module::$handler)))+
        }
    };
}

pub(super) use routes;
