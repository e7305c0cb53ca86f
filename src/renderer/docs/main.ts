// The page of the interface is OpenAPI Explorer, a custom element that reads the service's own description of itself.
import 'openapi-explorer';
