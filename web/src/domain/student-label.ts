/** Default text of the signup checkbox for students. */
export const STUDENT_LABEL = "My team is fully composed of polito students. (optional)";
