/* A host with no engine behind it, for systems that no Godot runs on here: it loads the addon's library as Godot does, calls its
   entry, lets it register its classes and ends it.

   `host LIBRARY` prints the name of each class that registers. It fails when the library does not load, when its entry refuses, and
   when the library leaves memory before the process ends, which its threads must not see. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
static void *load(const char *file) { return LoadLibraryA(file); }
static void *find(void *library, const char *name) { return (void *)GetProcAddress(library, name); }
static void unload(void *library) { FreeLibrary(library); }
static int is_loaded(const char *file) { return GetModuleHandleA(file) != NULL; }
static const char *problem(void) { static char text[32]; sprintf(text, "error %lu", GetLastError()); return text; }
#else
#include <dlfcn.h>
static void *load(const char *file) { return dlopen(file, RTLD_NOW); }
static void *find(void *library, const char *name) { return dlsym(library, name); }
static void unload(void *library) { dlclose(library); }
static int is_loaded(const char *file) { return dlopen(file, RTLD_NOW | RTLD_NOLOAD) != NULL; }
static const char *problem(void) { return dlerror(); }
#endif

/* What is asked of the engine is answered by a pointer that is not null, is aligned for any type, can be called, and then answers the
   same. */
__attribute__((aligned(16))) static uintptr_t anything(void) { return (uintptr_t)anything; }
static uintptr_t nothing(void) { return 0; }

struct version { uint32_t major, minor, patch; const char *text; };
static void tell_version(struct version *version) {
    version->major = 4;
    version->minor = 4;
    version->patch = 1;
    version->text = "4.4.1";
}

/* A StringName is as large as a pointer: here, it is one to its characters. */
static void new_name(char **name, const char *text) { *name = strdup(text); }
static void new_name_of(char **name, const char *text, int64_t length) {
    *name = calloc(length + 1, 1);
    memcpy(*name, text, length);
}
static void copy_name(char **name, char ***from) { *name = **from; }
static void *constructor(int type, int which) {
    const int STRING_NAME = 21, COPY = 1;
    return type == STRING_NAME && which == COPY ? (void *)copy_name : (void *)anything;
}

/* Lists that are made are asked whether they are empty. */
static void yes(void *list, const void **arguments, uint8_t *answer) {
    (void)list, (void)arguments;
    *answer = 1;
}
static void *method(int type, const char **name) {
    (void)type;
    return strcmp(*name, "is_empty") ? (void *)anything : (void *)yes;
}

/* Other questions that are answered by yes or no get one after the other: some are asked until the answer is the one, or the other. */
static void call_method(const void *called, void *object, const void **arguments, uint8_t *answer) {
    static int turn;
    (void)called, (void)object, (void)arguments;
    if (answer) *answer = turn++ % 2 == 0;
}

static void register_class(void *library, const char **name) {
    (void)library;
    printf("class %s\n", *name);
}

static void complain(const char *what, const char *why) { printf("error %s: %s\n", what, why); }
static void complain_shortly(const char *what) { printf("error %s\n", what); }

static int begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static void *engine(const char *name) {
    if (!strcmp(name, "get_godot_version")) return (void *)tell_version;
    if (!strcmp(name, "string_name_new_with_utf8_chars_and_len")) return (void *)new_name_of;
    if (begins(name, "string_name_new_with")) return (void *)new_name;
    if (!strcmp(name, "variant_get_ptr_constructor")) return (void *)constructor;
    if (!strcmp(name, "variant_get_ptr_builtin_method")) return (void *)method;
    if (!strcmp(name, "object_method_bind_ptrcall")) return (void *)call_method;
    if (begins(name, "classdb_register_extension_class") && strlen(name) < sizeof "classdb_register_extension_class99")
        return (void *)register_class;
    if (!strcmp(name, "print_error_with_message")) return (void *)complain;
    if (!strcmp(name, "print_error")) return (void *)complain_shortly;
    if (begins(name, "string_to") || !strcmp(name, "variant_get_type") || !strcmp(name, "object_has_script_method"))
        return (void *)nothing;
    return (void *)anything;
}

struct initialization {
    int first_level;
    void *userdata;
    void (*start)(void *userdata, int level);
    void (*end)(void *userdata, int level);
};
typedef uint8_t entry(void *(*engine)(const char *), void *library, struct initialization *);

int main(int count, char **words) {
    static char itself[4096];
    struct initialization extension = {0};
    const int SCENE = 2;
    if (count != 2) return 2;
    setvbuf(stdout, NULL, _IONBF, 0);
    void *library = load(words[1]);
    if (!library) return printf("error it does not load: %s\n", problem()), 1;
    entry *enter = (entry *)find(library, "pathforge_init");
    if (!enter) return printf("error it has no entry\n"), 1;
    if (enter(engine, itself, &extension) != 1) return printf("error the entry refuses\n"), 1;
    for (int level = extension.first_level; level <= SCENE; level++) extension.start(extension.userdata, level);
    for (int level = SCENE; level >= extension.first_level; level--) extension.end(extension.userdata, level);
    unload(library);
    if (!is_loaded(words[1])) return printf("error it is gone while its threads may run\n"), 1;
    printf("ended\n");
    return 0;
}
