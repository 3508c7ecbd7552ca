//! Arbitrary requests, also malformed ones, and raw responses.

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::TestApp;

/// The name of the cookie of organizers' sessions.
pub(crate) const COOKIE: &str = "__Host-organizer";

/// A request.
#[derive(Clone, Debug)]
pub struct Call {
    method: Method,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

/// A raw response.
#[derive(Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Call {
    /// A request without headers and body; the path begins at the root.
    ///
    /// # Panics
    /// If the method is invalid.
    pub fn new(method: &str, path: &str) -> Self {
        let method = method.parse().expect("a method");
        Self { method, path: path.to_owned(), headers: Vec::new(), body: None }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sets the body, with the content type of JSON.
    #[must_use]
    pub fn json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("content-type", "application/json").body(body)
    }

    /// Sends the request.
    ///
    /// # Panics
    /// If there is no complete response.
    pub async fn send(self, app: &TestApp) -> Reply {
        self.begin(app).await
    }

    /// Sends the request, as a task may.
    ///
    /// # Panics
    /// If there is no complete response.
    pub fn begin(self, app: &TestApp) -> impl Future<Output = Reply> + Send + use<> {
        let mut request = app.http.request(self.method, format!("{}{}", app.url, self.path));
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        if let Some(body) = self.body {
            request = request.body(body);
        }
        async move {
            let response = request.send().await.expect("the server answers");
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = response.bytes().await.expect("the answer is whole").to_vec();
            Reply { status, headers, body }
        }
    }
}

impl Reply {
    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// If the body is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{} is JSON: {:?}", self.status, self.text()))
    }

    /// A header's value, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("headers are text"))
    }
}
