package config_test

import (
	"fmt"

	"github.com/statespec/statespec/reference/config"
)

func ExampleResolve() {
	cfg, err := config.ParseDeploy([]byte("model: dreamzero\nenable_session_state_manager: true\n"))
	if err != nil {
		panic(err)
	}
	environment := func(name string) (string, bool) { // usually os.LookupEnv
		return "off", name == config.EnableVar
	}
	fmt.Printf("%+v\n", config.Resolve(cfg, environment, nil))

	_, err = config.ParseDeploy([]byte("model: dreamzero\nmax_sessions: 8\n"))
	fmt.Println(err)
	// Output:
	// {Enabled:false MaxSessions:64}
	// deploy config, line 2: "max_sessions" is no config field: the cap on retained sessions is set by the variable OMNI_DIFFUSION_SESSION_STATE_MANAGER_MAX_SESSIONS
}
